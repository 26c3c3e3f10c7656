import { type Sources, withoutComments } from './sources.ts'

/** Where the kinds of what is written, and of what only memory takes, are said. */
const UNIONS = { Write: 'src/store/store.ts', Observation: 'src/engine/memory/effect.ts' } as const

/** An object with an entry for each of some kinds. */
interface Part {
  path: string
  name: string
}

/** Parts that together have one entry for each kind of these unions. */
interface Table {
  name: string
  parts: readonly Part[]
  of: readonly (keyof typeof UNIONS)[]
}

/** Finds where memory's law or the table of a store does not have exactly one entry for each kind of `Write`. */
export function unknownWrites(sources: Sources): string[] {
  // The journal keeps what it is given as it is: the file behind it has the table.
  const stores = [...sources.keys()].flatMap((path) => /^src\/stores\/(?!journal\/)[^/]+\//.exec(path) ?? [])
  const tables: Table[] = [
    { name: 'the law of src/engine/memory', parts: partsOfLaw(sources), of: ['Write', 'Observation'] },
    ...[...new Set(stores)].map((store) => ({
      name: `${store}writer.ts: writers`,
      parts: [{ path: `${store}writer.ts`, name: 'writers' }],
      of: ['Write'] as const,
    })),
  ]
  return tables.flatMap((table) => incompleteness(sources, table))
}

/** Each drawer has its own part of the law, and one list names the kinds that no law owns. */
function partsOfLaw(sources: Sources): Part[] {
  const drawers = [...sources].flatMap(([path, text]) => {
    const [, name] = (path.startsWith('src/engine/memory/') && /^export const (\w+Law)\b/m.exec(text)) || []
    return name === undefined ? [] : [{ path, name }]
  })
  return [...drawers, { path: 'src/engine/memory/apply.ts', name: 'WITHOUT_LAW' }]
}

function incompleteness(sources: Sources, { name, parts, of }: Table): string[] {
  const missing = parts.filter(({ path }) => !sources.has(path))
  if (missing.length > 0)
    return missing.map(
      ({ path, name: table }) => `${path} is missing: its table ${table} says what becomes of each ${of[0]}`,
    )
  const kinds = of.flatMap((union) => kindsOf(sources, union).map((kind) => ({ kind, union })))
  const entries = parts.flatMap((part) => keys(sources, part.path, part.name))
  const once = new Set(entries)
  return [
    ...kinds
      .filter(({ kind }) => !once.has(kind))
      .map(({ kind, union }) => `${name} has no entry for ${kind}: ${union} of ${UNIONS[union]}`),
    ...[...once]
      .filter((entry) => !kinds.some(({ kind }) => kind === entry))
      .map((entry) => `${name} has an entry for ${entry}, which is no ${of.join(' and no ')}`),
    ...entries
      .filter((entry, index) => entries.indexOf(entry) !== index)
      .map((entry) => `${name} has two entries for ${entry}`),
  ]
}

/** The kinds of a union of `{ is: 'kind' … }`. */
function kindsOf(sources: Sources, union: keyof typeof UNIONS): string[] {
  const text = withoutComments(sources.get(UNIONS[union]) ?? '')
  const body = new RegExp(
    `^(?:export )?type ${union} =\\n([\\s\\S]*?)\\n(?:export|type|const|interface)\\b`,
    'm',
  )
  const found = body.exec(text)?.[1] ?? ''
  return [...found.matchAll(/\|\s*\{\s*is: '([^']+)'/g)].map(([, kind = '']) => kind)
}

/** The names of an object's entries, as the formatter sets them out. */
function keys(sources: Sources, path: string, name: string): string[] {
  const text = withoutComments(sources.get(path) ?? '')
  const [, indent = '', body = ''] =
    new RegExp(`^( *)(?:export )?const ${name}\\b.* = \\{\\n([\\s\\S]*?)\\n\\1\\}`, 'm').exec(text) ?? []
  return [...body.matchAll(new RegExp(`^ {${indent.length + 2}}'?([\\w-]+)'?[:(,]`, 'gm'))].map(
    ([, key = '']) => key,
  )
}
