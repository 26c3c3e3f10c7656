import { posix } from 'node:path'

import { code, imports, once, readSources, type Sources, withoutComments } from './sources.ts'

export function forbiddenImports(sources: Sources): string[] {
  const inside = imports(sources).flatMap(({ from, to, name }) => (to === null ? [] : [{ from, to, name }]))
  const forbidden = inside.filter(({ from, to }) => !mayImport(from, to))
  const withoutEnding = inside.filter(({ to, name }) => to !== 'src/preload.js' && !/\.(ts|json)$/.test(name))
  return forbidden
    .map(({ from, to }) => `${from} -> ${to}`)
    .concat(withoutEnding.map(({ from, name }) => `${from} imports ${name} without .ts`))
}

/** Each file that, through what it imports, imports itself: the shortest way round, told once. */
export function circles(sources: Sources): string[] {
  const ways = new Map<string, string[]>()
  for (const { from, to } of imports(sources)) {
    if (to !== null) ways.set(from, [...(ways.get(from) ?? []), to])
  }
  const told = new Set<string>()
  for (const start of leadingRound(ways)) {
    const round = wayBack(start, ways)
    if (round === null) continue
    // The same circle from each of its files: written from the first of them.
    const first = round.indexOf(round.toSorted()[0] ?? '')
    const turned = [...round.slice(first), ...round.slice(0, first)]
    told.add(`a circle of imports: ${[...turned, ...turned.slice(0, 1)].join(' -> ')}`)
  }
  return [...told]
}

/** Those that are left when whatever imports nothing any more is taken away, again and again. */
function leadingRound(ways: ReadonlyMap<string, readonly string[]>): string[] {
  let left = new Set(ways.keys())
  for (;;) {
    const rest = new Set([...left].filter((from) => ways.get(from)?.some((to) => left.has(to))))
    if (rest.size === left.size) return [...left]
    left = rest
  }
}

function wayBack(start: string, ways: ReadonlyMap<string, readonly string[]>): string[] | null {
  const seen = new Set<string>()
  let fronts = [[start]]
  while (fronts.length > 0) {
    const further = fronts.flatMap((way) => (ways.get(way.at(-1) ?? '') ?? []).map((to) => [...way, to]))
    const round = further.find((way) => way.at(-1) === start)
    if (round) return round.slice(0, -1)
    fronts = further.filter((way) => {
      const at = way.at(-1) ?? ''
      const isNew = !seen.has(at)
      seen.add(at)
      return isNew
    })
  }
  return null
}

/** What a file gives to nobody. Types are left out: those of a contract are its words, whoever needs them. */
export function unwanted(sources: Sources): string[] {
  const elsewhere = takenElsewhere()
  const here = new Set([...sources].flatMap(([from, text]) => takenBy(text, from)))
  return [...sources].flatMap(([path, text]) =>
    // What main asks of these is asked by name.
    /^(adapters|src\/venues|src\/stores)\/[^/]+\/config\.ts$/.test(path)
      ? []
      : exportedBy(text).flatMap((name) => {
          const what = `${path} ${name}`
          return here.has(what) || elsewhere.has(what)
            ? []
            : [`${path} exports ${name}, which nobody imports`]
        }),
  )
}

/** What others than the sources take. */
let others: ReadonlySet<string> | null = null
function takenElsewhere(): ReadonlySet<string> {
  others ??= new Set([...readSources(['test', 'bench'])].flatMap(([from, text]) => takenBy(text, from)))
  return others
}

const takenBy = once((text, from) =>
  [...withoutComments(text).matchAll(NAMED_IMPORT)].flatMap(([, names = '', name = '']) =>
    names.split(',').map((one) => {
      const [imported = ''] = one
        .trim()
        .replace(/^type /, '')
        .split(' as ')
      return `${posix.join(posix.dirname(from), name)} ${imported}`
    }),
  ),
)

const exportedBy = once((text) => [...code(text).matchAll(EXPORTED)].map(([, name = '']) => name))

const NAMED_IMPORT = /^(?:import|export)\s+(?:type\s+)?(?:\w+,\s*)?\{([^}]*)\}\s*from\s+['"](\.[^'"]+)['"]/gm
const EXPORTED = /^export (?:async )?(?:const|function\*?|class) (\w+)/gm

function mayImport(from: string, to: string): boolean {
  const [here, there] = [zone(from), zone(to)]
  if (here === there) return true
  if (here.startsWith('src/venues/') && there === 'src/venues/http') return true
  if (here === 'src/venues/sim' && there === 'src/venues/perps-data') return true
  // The journal is written before a file, which is that of the other store.
  if (here === 'src/stores/journal' && there === 'src/stores/sqlite') return true
  // Adapters, venues and stores are opened by name: an import that is written down would load them all.
  if (there === 'src/main.ts' || /^(adapters|src\/venues|src\/stores)\//.test(there)) return false
  if (here === 'src/main.ts' || here === 'src/start') return there.startsWith('src/')
  return isContract(there)
}

/** Lowest first. A file imports from its own folder or from one that stands before it. */
const LAYERS: readonly (readonly string[])[] = [
  [
    ...['src/lib', 'src/words', 'src/message', 'src/runtime', 'src/venue', 'src/alert', 'src/people'],
    ...['src/picture', 'src/chat', 'src/store', 'src/command'],
  ],
  [
    ...['src/engine/recording', 'src/engine/memory', 'src/engine/monitors', 'src/engine/evaluate'],
    ...['src/engine/backtest', 'src/engine/outage', 'src/engine/observe', 'src/engine/notify'],
    ...['src/engine/changes', 'src/engine/time', 'src/engine'],
  ],
  ['src/dialog/parse', 'src/dialog/files', 'src/dialog'],
  ['src/polling/budget', 'src/polling/records', 'src/polling'],
  [
    ...[
      'src/commands/shared',
      'src/commands/money',
      'src/commands/look',
      'src/commands/alerts',
      'src/commands/nights',
    ],
    ...[
      'src/commands/you',
      'src/commands/move',
      'src/commands/wallets',
      'src/commands/start',
      'src/commands',
    ],
  ],
]
const [CONTRACTS = [], ...HOUSES] = LAYERS

/** Imports from a lower layer to a higher one of the same list, and folders of a layered house that no list names. */
export function upwardImports(sources: Sources): string[] {
  const upward = imports(sources).flatMap(({ from, to }) => {
    const [here, there] = [layerOf(from), to === null ? null : layerOf(to)]
    if (!here || !there || here.list !== there.list || there.at <= here.at) return []
    return [`${from} -> ${to}: ${there.folder} stands above ${here.folder}`]
  })
  const roomless = [...sources.keys()].filter((path) => {
    const layer = layerOf(path)
    return (
      layer !== null &&
      HOUSES.includes(layer.list) &&
      layer.folder === layer.list.at(-1) &&
      posix.dirname(path) !== layer.folder
    )
  })
  return [...upward, ...roomless.map((path) => `${path} lies in a folder that LAYERS does not name`)]
}

/** Returns the longest listed folder around a file, and its list. A folder stands in one list only. */
const layerOf = once((path) => {
  const all = LAYERS.flatMap((list) => list.map((folder, at) => ({ list, folder, at })))
  const fitting = all.filter(({ folder }) => path.startsWith(`${folder}/`))
  return fitting.toSorted((a, b) => b.folder.length - a.folder.length)[0] ?? null
})

/** What a file must not leave: a contract, the wiring, a room of its own, or one adapter, venue or store. */
export const zone = once((path) => {
  const parts = path.split('/')
  const oneEach = /^src\/(venues|stores)\/[^/]+\//.test(path)
  return parts.slice(0, oneEach ? 3 : 2).join('/')
})

export function isContract(folder: string): boolean {
  return CONTRACTS.includes(folder)
}
