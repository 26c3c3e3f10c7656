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
export function imports(sources: Sources): Import[] {
  return [...sources].flatMap(([from, text]) =>
    namesIn(text).map((name) => ({
      from,
      name,
      to: name.startsWith('.') ? posix.join(posix.dirname(from), name) : null,
    })),
  )
}

const namesIn = once((text) =>
  [...withoutComments(text).matchAll(IMPORT)].map(([, first, second]) => first ?? second ?? ''),
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

/** The tests change one file at a time: what is found in a text is found once. */
function once<T>(find: (text: string) => T): (text: string) => T {
  const found = new Map<string, T>()
  return (text) => {
    const known = found.get(text)
    if (known !== undefined) return known
    const result = find(text)
    found.set(text, result)
    return result
  }
}
