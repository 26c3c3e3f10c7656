/** A module without types. `imports`: the keys of other modules, by the words of each import. */
export interface Module {
  key: string
  script: string
  imports: ReadonlyMap<string, string>
}

/** `import { a, b as c } from './x.ts'`: the names, the quotation mark, the words. */
const IMPORT = /(?<=^|[;}])\s*\bimport\s*\{([^}'"]*)\}\s*from\s*(["'])([^"'\n]+)\2;?/gm
/** `export { a as b }`, as packages write it. */
const EXPORT_LIST = /(?<=^|[;}])\s*\bexport\s*\{([^}'"]*)\};?/gm
/** `export const a`, as our own files write it. */
const EXPORT = /^export (?=(?:const|function|async function|class) (\w+))/gm
/** Other forms, which the page does without. They would need more than this. */
const OTHER_FORM = /^\s*(?:import\b(?!\s*\{|\.)|export\b)/m

/** The words of all imports. */
export function importsOf(script: string): readonly string[] {
  return [...script.matchAll(IMPORT)].flatMap(([, , , words = '']) => words)
}

/**
 * Joins modules into one script, the imported ones first: one request and shared compression, where each file would need
 * its own. A module keeps its scope as a function, but for the last one, which runs the page. Pure.
 */
export function bundled(modules: readonly Module[]): string {
  const names = new Map(modules.map(({ key }, at) => [key, `$m${at}`]))
  const parts = modules.map(({ key, script, imports }, at) => {
    const exported = new Map<string, string>()
    const body = script
      .replace(IMPORT, (_all, list: string, _mark: string, words: string) => {
        const from = names.get(imports.get(words) ?? '')
        if (from === undefined) throw new Error(`${key} imports ${words}, which stands nowhere`)
        const taken = pairsOf(list).map(([name, own]) => (name === own ? name : `${name}: ${own}`))
        return `\nconst { ${taken.join(', ')} } = ${from};`
      })
      .replace(EXPORT_LIST, (_all, list: string) => {
        for (const [own, name] of pairsOf(list)) exported.set(name, own)
        return ''
      })
      .replace(EXPORT, (_all, name: string) => {
        exported.set(name, name)
        return ''
      })
    const other = OTHER_FORM.exec(body)
    if (other) throw new Error(`${key} has an import or export of another form`)
    if (at === modules.length - 1) return body
    const given = [...exported].map(([name, own]) => (name === own ? name : `${name}: ${own}`))
    return `const ${names.get(key)} = (() => {\n${body}\nreturn { ${given.join(', ')} };\n})();`
  })
  return `${parts.join('\n')}\n`
}

/** `a as b` is the pair of both; `a` alone is twice the same. */
function pairsOf(list: string): readonly (readonly [string, string])[] {
  return list.split(',').flatMap((one) => {
    const [first = '', second = first] = one.trim().split(/\s+as\s+/)
    return first === '' ? [] : [[first, second] as const]
  })
}
