import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Path from the root of the project → text of the file. */
export type Sources = ReadonlyMap<string, string>

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..')

export function readSources(folders: readonly string[] = ['src', 'adapters']): Sources {
  const sources = new Map<string, string>()
  for (const folder of folders) {
    for (const entry of readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      if (entry.isFile() && path.endsWith('.ts'))
        sources.set(relative(ROOT, path), readFileSync(path, 'utf8'))
    }
  }
  return sources
}

export interface Import {
  from: string
  /** Null for packages. */
  to: string | null
  name: string
}

/** Each import and re-export, types included. */
export function imports(sources: Sources): readonly Import[] {
  const known = listed.get(sources) ?? [...sources].flatMap(([from, text]) => importsOf(text, from))
  listed.set(sources, known)
  return known
}

/** Eight rules ask for the same list. */
const listed = new WeakMap<Sources, readonly Import[]>()

const importsOf = once((text, from): Import[] =>
  [...withoutComments(text).matchAll(IMPORT)].map(([, first, second]) => {
    const name = first ?? second ?? ''
    return { from, name, to: name.startsWith('.') ? posix.join(posix.dirname(from), name) : null }
  }),
)

// One that is computed (`import(\`../adapters/${name}/index.ts\`)`) names nobody.
const IMPORT =
  /^(?:import\s+|(?:import|export)\s[\w$*{},\s]*?\bfrom\s+)['"]([^'"]+)['"]|\bimport\(\s*['"`]([^'"`$]+)['"`]\s*\)/gm

const COMMENT_OR_STRING = /\/\*[\s\S]*?\*\/|\/\/.*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g

/** The text without comments. */
export const withoutComments = once((text) =>
  text.replace(COMMENT_OR_STRING, (found) => (found.startsWith('/') ? '' : found)),
)

/** The text without comments and without what stands in quotes; templates stay, for they hold code. */
export const code = once((text) =>
  text.replace(COMMENT_OR_STRING, (found) => (found.startsWith('/') ? '' : "''")),
)

/** The tests change one file at a time: what is found in a text is found once; a path says whose text it is. */
export function once<T>(find: (text: string, path: string) => T): (text: string, path?: string) => T {
  const found = new Map<string, Map<string, T>>()
  return (text, path = '') => {
    const here = found.get(path) ?? new Map<string, T>()
    found.set(path, here)
    const known = here.get(text)
    if (known !== undefined) return known
    const result = find(text, path)
    here.set(text, result)
    return result
  }
}
