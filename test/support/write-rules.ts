import { type Sources, withoutComments } from './sources.ts'

/** Where the kinds of what is written, and of what only memory takes, are said. */
const UNIONS = { Write: 'src/store/store.ts', Observation: 'src/engine/memory/effect.ts' } as const

/** A table with an entry for each kind of these unions. */
interface Table {
  path: string
  name: string
  of: readonly (keyof typeof UNIONS)[]
}

/** What memory and each store do with what is written is one list: the kinds of `Write`, and none beside them. */
export function unknownWrites(sources: Sources): string[] {
  const stores = [...sources.keys()].flatMap((path) => /^src\/stores\/[^/]+\//.exec(path) ?? [])
  const tables: Table[] = [
    { path: 'src/engine/memory/apply.ts', name: 'LAW', of: ['Write', 'Observation'] },
    ...[...new Set(stores)].map((store) => ({
      path: `${store}writer.ts`,
      name: 'writers',
      of: ['Write'] as const,
    })),
  ]
  return tables.flatMap((table) => incompleteness(sources, table))
}

function incompleteness(sources: Sources, { path, name, of }: Table): string[] {
  if (!sources.has(path)) return [`${path} is missing: its table ${name} says what becomes of each ${of[0]}`]
  const kinds = of.flatMap((union) => kindsOf(sources, union).map((kind) => ({ kind, union })))
  const entries = new Set(keys(sources, path, name))
  return [
    ...kinds
      .filter(({ kind }) => !entries.has(kind))
      .map(({ kind, union }) => `${path}: ${name} has no entry for ${kind}: ${union} of ${UNIONS[union]}`),
    ...[...entries]
      .filter((entry) => !kinds.some(({ kind }) => kind === entry))
      .map((entry) => `${path}: ${name} has an entry for ${entry}, which is no ${of.join(' and no ')}`),
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
    new RegExp(`^( *)const ${name}\\b.* = \\{\\n([\\s\\S]*?)\\n\\1\\}`, 'm').exec(text) ?? []
  return [...body.matchAll(new RegExp(`^ {${indent.length + 2}}'?([\\w-]+)'?[:(,]`, 'gm'))].map(
    ([, key = '']) => key,
  )
}
