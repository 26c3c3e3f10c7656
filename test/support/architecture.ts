import { circles, forbiddenImports, isContract, unwanted, upwardImports, zone } from './import-rules.ts'
import { fallbacks, misshapen, unlisted } from './plug-rules.ts'
import { wrongSizes } from './size-rules.ts'
import { code, imports, once, type Sources } from './sources.ts'
import { unknownWrites } from './write-rules.ts'

/** Every rule's violations, one line each. */
export function violations(sources: Sources): string[] {
  return [
    ...forbiddenImports(sources),
    ...upwardImports(sources),
    ...circles(sources),
    ...unwanted(sources),
    ...strayPackages(sources),
    ...impurities(sources),
    ...strayWorld(sources),
    ...unlisted(sources),
    ...unknownWrites(sources),
    ...wholeMemory(sources),
    ...misshapen(sources),
    ...fallbacks(sources),
    ...wrongSizes(sources),
    ...notErasable(sources),
  ]
}

/** Packages that touch the world, each with its home; one that is not here may be used nowhere. */
const HOMES: Record<string, readonly string[]> = {
  zod: ['src', 'adapters'],
  '@noble/hashes': ['src/venue'],
  undici: ['src/venues', 'src/net'],
  '@hono/node-server': ['src/net'],
  'better-sqlite3': ['src/stores'],
  pg: ['src/stores/journal'],
  '@resvg/resvg-wasm': ['src/drawing'],
  pino: ['src/ops'],
  'prom-client': ['src/ops'],
  'node-cron': ['src/ops'],
  telegraf: ['adapters/telegram'],
  'web-push': ['adapters/push'],
  '@modelcontextprotocol/server': ['adapters/assistant'],
  'discord.js': ['adapters/discord'],
  '@discordjs/ws': ['adapters/discord'],
  hono: ['src/net', 'adapters/web'],
  'lit-html': ['adapters/web'],
  'node:http': ['src/venues/sim', 'src/net'],
  'node:readline': ['adapters/terminal'],
}
const PURE_PACKAGES = new Set(['zod', '@noble/hashes'])

/** Files that decide and do nothing else. */
const PURE = [
  /^src\/alerts\//,
  /^src\/lib\//,
  /^src\/engine\/evaluate\/step\.ts$/,
  /^src\/engine\/(memory\/monitors|time\/deadlines)\.ts$/,
  /^src\/polling\/budget\/schedule\.ts$/,
  /^src\/outbox\/send-gates\.ts$/,
  // The simulator is maths, but for these.
  /^src\/venues\/sim\/(?!(alone|index|play|play\/programme|http\/server|http\/spoil)\.ts$)/,
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
  ['Date.now', ['src/runtime/clock.ts', 'adapters/web/page/world.ts']],
  ['new Date()', ['src/runtime/clock.ts']],
  ['performance.now', ['src/runtime/clock.ts', 'adapters/web/page/world.ts']],
  ['setTimeout', ['src/runtime/clock.ts', 'adapters/web/page/world.ts']],
  ['setInterval', ['src/runtime/clock.ts']],
  ['AbortSignal.timeout', ['src/runtime/clock.ts']],
  ['Promise.race', ['src/runtime/clock.ts']],
  ['process.getBuiltinModule', ['src/net/http-server.ts', 'src/venues/sim/http/server.ts']],
  [
    'Math.random',
    [
      'src/start/program.ts',
      'src/start/restore-cli.ts',
      'src/venues/sim/alone.ts',
      'adapters/web/page/world.ts',
    ],
  ],
  ['process.exit', ['src/start/program.ts', 'src/start/environment.ts', 'src/venues/sim/alone.ts']],
]

function strayPackages(sources: Sources): string[] {
  return imports(sources).flatMap(({ from, to, name }) => {
    if (to !== null) return []
    const packageName = name.startsWith('node:')
      ? name
      : name.split('/', name.startsWith('@') ? 2 : 1).join('/')
    if (isContract(zone(from)) && !PURE_PACKAGES.has(packageName)) return [`${from} -> ${packageName}`]
    const homes = HOMES[packageName] ?? (name.startsWith('node:') ? ['src', 'adapters'] : [])
    return homes.some((home) => from.startsWith(`${home}/`)) ? [] : [`${from} -> ${packageName}`]
  })
}

function impurities(sources: Sources): string[] {
  const isPure = (path: string) => PURE.some((pattern) => pattern.test(path))
  const imported = imports(sources).filter(({ from, name }) => isPure(from) && name.startsWith('node:'))
  const uses = [...sources].flatMap(([path, text]) =>
    isPure(path)
      ? WORLD.filter((word) => used(text).has(word)).map((word) => `${path} is pure, but uses ${word}`)
      : [],
  )
  return [...imported.map(({ from, name }) => `${from} is pure, but imports ${name}`), ...uses]
}

function strayWorld(sources: Sources): string[] {
  const timers = imports(sources).filter(({ name }) => name.startsWith('node:timers'))
  const uses = [...sources].flatMap(([path, text]) =>
    ONLY_IN.flatMap(([word, files]) =>
      files.includes(path) || !used(text).has(word) ? [] : [`${path} uses ${word}`],
    ),
  )
  return [...timers.map(({ from, name }) => `${from} -> ${name}`), ...uses]
}

/** Files that may take all of memory. Everyone else names the drawers: `Pick<Memory, …>`. */
const TAKE_MEMORY = [/^src\/engine\/memory\//, /^src\/engine\/(engine|view)\.ts$/]

/** Finds functions that take all of memory, and files beside the engine that could change it. */
function wholeMemory(sources: Sources): string[] {
  const takers = [...sources].flatMap(([path, text]) =>
    TAKE_MEMORY.some((pattern) => pattern.test(path)) || !namesMemory(text)
      ? []
      : [`${path} takes all of Memory: Pick its drawers`],
  )
  const changers = imports(sources).flatMap(({ from, to }) =>
    to === 'src/engine/memory/apply.ts' && from !== 'src/engine/engine.ts'
      ? [`${from} -> ${to}: it is given what changes memory`]
      : [],
  )
  return [...takers, ...changers]
}

const namesMemory = once((text) =>
  /\b(?:Memory|Drawers)\b/.test(
    code(text)
      .replace(/^import .*$/gm, '')
      .replace(/\bPick<\s*Memory\b/g, ''),
  ),
)

function notErasable(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) => {
    const found = moreThanTypes(text)
    return found ? [`${path}: ${found} is more than types, Node cannot strip it`] : []
  })
}

const moreThanTypes = once(
  (text) => /^\s*(?:export )?(?:declare )?(?:const )?(enum|namespace) \w/m.exec(code(text))?.[1] ?? null,
)

/** Which of the words the code uses: not as somebody's member, nor as the name of a field. */
const used = once((text): ReadonlySet<string> => {
  const body = code(text)
  const words = [...WORLD, ...ONLY_IN.map(([word]) => word)]
  return new Set(
    words.filter((word) => {
      const escaped = word.replace(/[.()]/g, '\\$&')
      return new RegExp(`(?<![\\w.$])${escaped}${word.endsWith(')') ? '' : '(?![\\w$]|\\??:)'}`).test(body)
    }),
  )
})
