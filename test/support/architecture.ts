import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Path from the root of the project → text of the file. */
export type Sources = ReadonlyMap<string, string>

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..')

export function readSources(): Sources {
  const sources = new Map<string, string>()
  for (const folder of ['src', 'adapters']) {
    for (const entry of readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      if (entry.isFile() && path.endsWith('.ts'))
        sources.set(relative(ROOT, path), readFileSync(path, 'utf8'))
    }
  }
  return sources
}

/** Every rule's violations, one line each. */
export function violations(sources: Sources): string[] {
  return [
    ...forbiddenImports(sources),
    ...strayPackages(sources),
    ...impurities(sources),
    ...strayWorld(sources),
    ...unlisted(sources),
    ...misshapen(sources),
    ...tooLong(sources),
    ...notErasable(sources),
  ]
}

/** Packages that touch the world, each with its home; one that is not here may be used nowhere. */
const HOMES: Record<string, readonly string[]> = {
  zod: ['src', 'adapters'],
  'micro-eth-signer': ['src', 'adapters'],
  undici: ['src/venues'],
  'better-sqlite3': ['src/stores'],
  pino: ['src/ops'],
  'prom-client': ['src/ops'],
  'node-cron': ['src/ops'],
  telegraf: ['adapters/telegram'],
  'discord.js': ['adapters/discord'],
  'node:http': ['src/venues/sim', 'src/ops'],
  'node:readline': ['adapters/terminal'],
}
const PURE_PACKAGES = new Set(['zod', 'micro-eth-signer'])

/** Files that decide and do nothing else. */
const PURE = [
  /^src\/alerts\//,
  /^src\/lib\//,
  /^src\/engine\/(step|watchlist|deadlines)\.ts$/,
  /^src\/polling\/schedule\.ts$/,
  /^src\/outbox\/pace\.ts$/,
  // The simulator is maths, but for these.
  /^src\/venues\/sim\/(?!(alone|index|play|server)\.ts$)/,
]
const WORLD = [
  'Date.now',
  'performance.now',
  'Math.random',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'fetch',
  'process',
  'new Date()',
]

/** What only some files may use, whatever their folder. */
const ONLY_IN: [word: string, files: readonly string[]][] = [
  ['Date.now', ['src/clock.ts']],
  ['new Date()', ['src/clock.ts']],
  ['performance.now', ['src/clock.ts']],
  ['setTimeout', ['src/clock.ts']],
  ['setInterval', ['src/clock.ts']],
  ['AbortSignal.timeout', ['src/clock.ts']],
  ['Math.random', ['src/main.ts', 'src/venues/sim/alone.ts']],
  ['process.exit', ['src/main.ts', 'src/venues/sim/alone.ts']],
]

const LONGEST_FILE = 250
/** Longer files, each with its reason. */
const LONG_FILES: Record<string, string> = {}

function forbiddenImports(sources: Sources): string[] {
  const inside = imports(sources).flatMap(({ from, to, name }) => (to === null ? [] : [{ from, to, name }]))
  const forbidden = inside.filter(({ from, to }) => !mayImport(from, to))
  const withoutEnding = inside.filter(({ name }) => !/\.(ts|json)$/.test(name))
  return forbidden
    .map(({ from, to }) => `${from} -> ${to}`)
    .concat(withoutEnding.map(({ from, name }) => `${from} imports ${name} without .ts`))
}

function mayImport(from: string, to: string): boolean {
  const [here, there] = [zone(from), zone(to)]
  if (here === there) return true
  // Adapters and venues are opened by name: a name that is written down would load them all.
  if (here === 'main') return !/^(adapters|src\/venues)\//.test(there)
  if (there === 'main') return false
  if (here === 'app') return there === 'contract' || there.startsWith('src/')
  if (there === 'app') return false
  if (here === 'src/lib') return false
  if (here === 'src/venues/sim' && there === 'src/venues/perps-data') return true
  return there === 'contract' || there === 'src/lib'
}

/** Where a file belongs: a contract, the wiring, or the folder that must not know its siblings. */
function zone(path: string): string {
  const parts = path.split('/')
  if (path === 'src/main.ts') return 'main'
  if (/^src\/(app|wire-[^/]*)\.ts$/.test(path)) return 'app'
  if (parts.length === 2) return 'contract'
  const oneEach = parts[0] === 'src' && (parts[1] === 'venues' || parts[1] === 'stores') && parts.length > 3
  return parts.slice(0, oneEach ? 3 : 2).join('/')
}

function strayPackages(sources: Sources): string[] {
  return imports(sources).flatMap(({ from, to, name }) => {
    if (to !== null) return []
    const packageName = name.startsWith('node:')
      ? name
      : name.split('/', name.startsWith('@') ? 2 : 1).join('/')
    if (zone(from) === 'contract' && !PURE_PACKAGES.has(packageName)) return [`${from} -> ${packageName}`]
    const homes = HOMES[packageName] ?? (name.startsWith('node:') ? ['src', 'adapters'] : [])
    return homes.some((home) => from.startsWith(`${home}/`)) ? [] : [`${from} -> ${packageName}`]
  })
}

function impurities(sources: Sources): string[] {
  const isPure = (path: string) => PURE.some((pattern) => pattern.test(path))
  const imported = imports(sources).filter(({ from, name }) => isPure(from) && name.startsWith('node:'))
  const used = [...sources].flatMap(([path, text]) =>
    isPure(path) ? uses(text, WORLD).map((word) => `${path} is pure, but uses ${word}`) : [],
  )
  return [...imported.map(({ from, name }) => `${from} is pure, but imports ${name}`), ...used]
}

function strayWorld(sources: Sources): string[] {
  const timers = imports(sources).filter(({ name }) => name.startsWith('node:timers'))
  const used = [...sources].flatMap(([path, text]) =>
    ONLY_IN.flatMap(([word, files]) =>
      files.includes(path) || uses(text, [word]).length === 0 ? [] : [`${path} uses ${word}`],
    ),
  )
  return [...timers.map(({ from, name }) => `${from} -> ${name}`), ...used]
}

/** Alert kinds and commands live by being in their list; a list that is not written yet misses nothing. */
function unlisted(sources: Sources): string[] {
  const listed = new Set(imports(sources).map(({ from, to }) => `${from} ${to}`))
  return [...sources.keys()].flatMap((path) => {
    const list = /^(src\/(?:alerts|commands)\/)(?!index\.ts$)[^/]+\.ts$/.exec(path)?.[1]
    if (list === undefined || !sources.has(`${list}index.ts`)) return []
    return listed.has(`${list}index.ts ${path}`) ? [] : [`${path} is not in ${list}index.ts`]
  })
}

/** What main opens by name has the two files that it asks for. */
function misshapen(sources: Sources): string[] {
  if (!sources.has('src/main.ts')) return []
  const folders = [...sources.keys()].flatMap(
    (path) => /^(?:adapters|src\/venues)\/[^/]+(?=\/)/.exec(path) ?? [],
  )
  const exportsOf = (path: string, what: RegExp) => what.test(code(sources.get(path) ?? ''))
  return [...new Set(folders)].flatMap((folder) => {
    const [index, config] = [`${folder}/index.ts`, `${folder}/config.ts`]
    const type = folder.startsWith('adapters') ? 'OpenAdapter' : 'OpenVenue'
    const missing: string[] = []
    if (!exportsOf(index, new RegExp(`^export default [\\s\\S]*\\bsatisfies ${type}\\b`, 'm'))) {
      missing.push(`${index} has no default export that satisfies ${type}`)
    }
    for (const name of ['schema', 'isConfigured']) {
      const exported = new RegExp(`^export (?:const|function) ${name}\\b`, 'm')
      if (!exportsOf(config, exported)) missing.push(`${config} exports no ${name}`)
    }
    return missing
  })
}

function tooLong(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) => {
    const lines = text.trimEnd().split('\n').length
    const short = lines <= LONGEST_FILE || path in LONG_FILES
    return short ? [] : [`${path} has ${lines} lines; cut it up, or give the reason in LONG_FILES`]
  })
}

function notErasable(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) => {
    const found = /^\s*(?:export )?(?:declare )?(?:const )?(enum|namespace) \w/m.exec(code(text))
    return found ? [`${path}: ${found[1]} is more than types, Node cannot strip it`] : []
  })
}

/** Each import and re-export, types included; `to` is null for packages. */
function imports(sources: Sources): { from: string; to: string | null; name: string }[] {
  return [...sources].flatMap(([from, text]) =>
    [...withoutComments(text).matchAll(IMPORT)].map(([, first, second]) => {
      const name = first ?? second ?? ''
      return { from, name, to: name.startsWith('.') ? posix.join(posix.dirname(from), name) : null }
    }),
  )
}

// One that is computed (`import(\`../adapters/${name}/index.ts\`)`) names nobody.
const IMPORT =
  /^(?:import\s+|(?:import|export)\s[\w$*{},\s]*?\bfrom\s+)['"]([^'"]+)['"]|\bimport\(\s*['"`]([^'"`$]+)['"`]\s*\)/gm

const COMMENT_OR_STRING = /\/\*[\s\S]*?\*\/|\/\/.*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g

function withoutComments(text: string): string {
  return text.replace(COMMENT_OR_STRING, (found) => (found.startsWith('/') ? '' : found))
}

/** The text without comments and without what stands in quotes; templates stay, for they hold code. */
function code(text: string): string {
  return text.replace(COMMENT_OR_STRING, (found) => (found.startsWith('/') ? '' : "''"))
}

/** Which of the words the code uses: not as somebody's member, nor as the name of a field. */
function uses(text: string, words: readonly string[]): string[] {
  const body = code(text)
  return words.filter((word) => {
    const escaped = word.replace(/[.()]/g, '\\$&')
    return new RegExp(`(?<![\\w.$])${escaped}${word.endsWith(')') ? '' : '(?![\\w$]|\\??:)'}`).test(body)
  })
}
