import { type Assumptions, scaleOf } from './model.ts'

/** The sizes of docs/scale.md. */
export const SIZES = [10_000, 100_000, 1_000_000] as const

/** The table of docs/scale.md: a column for each number of people, as Markdown. */
export function tableOf(given: Assumptions, sizes: readonly number[]): string {
  const all = sizes.map((people) => {
    const scale = scaleOf({ ...given, people })
    return { ...scale, alone: scale.alone(), inCell: scale.inCell() }
  })
  const row = (what: string, cell: (scale: (typeof all)[number]) => string) => [what, ...all.map(cell)]
  const rows = [
    row('**In one Perch**', () => ''),
    row('first wall', ({ walls: [first] }) => (first ? `${first.name}, ${times(first.times)}` : '–')),
    row('second wall', ({ walls: [, second] }) => (second ? `${second.name}, ${times(second.times)}` : '–')),
    row('last critical alert sent, Telegram', ({ alone }) => span(alone.telegramS)),
    row('last critical alert sent, Discord', ({ alone }) => span(alone.discordS)),
    row('**In cells**', () => ''),
    row('people a cell', ({ peopleACell }) => whole(peopleACell)),
    row('what bounds a cell', ({ cellWall }) => cellWall),
    row('cells, tokens, applications', ({ cells }) => whole(cells)),
    row('last critical alert sent, Telegram', ({ inCell }) => span(inCell.telegramS)),
    row('last critical alert sent, Discord', ({ inCell }) => span(inCell.discordS)),
    row('all wallets of a cell read again', ({ rereadS }) => (rereadS === null ? 'no limit' : span(rereadS))),
    row('Discord shards a cell', ({ shards }) => whole(shards.aCell)),
    row('addresses', ({ addresses }) => whole(addresses)),
    row('memory of a cell', ({ memoryMb }) => `${whole(memoryMb.aCell)} MB`),
    row('machines', ({ machines }) => whole(machines)),
    row('money a month', ({ usdAMonth }) => `$${whole(usdAMonth)}`),
    ...(given.paid === 1 ? [row('money a wave', ({ usdAWave }) => `$${whole(usdAWave)}`)] : []),
  ]
  return markdown(sizes, rows)
}

/** What shortens the first table: cells and money a month, by what an operator runs or buys. */
export function choicesOf(given: Assumptions, sizes: readonly number[]): string {
  const choices: readonly (readonly [string, Partial<Assumptions>])[] = [
    ['an address for each Perch', {}],
    ['a Hyperliquid node of your own', { node: 1 }],
    ['the node, and five minutes instead of one', { node: 1, goal: 300 }],
    ['the node, and people on Telegram alone', { node: 1, 'share-telegram': 1 }],
    ['the node, and paid broadcasts', { node: 1, paid: 1 }],
  ]
  return markdown(sizes, [
    ...choices.map(([what, choice]) => [
      what,
      ...sizes.map((people) => {
        const { cells, cellWall, usdAMonth } = scaleOf({ ...given, ...choice, people })
        return `${whole(cells)}, $${whole(usdAMonth)} (${cellWall})`
      }),
    ]),
  ])
}

function markdown(sizes: readonly number[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    line(['', ...sizes.map((people) => `${whole(people)} people`)]),
    line(['---', ...sizes.map(() => '---:')]),
    ...rows.map(line),
  ].join('\n')
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}

function times(value: number): string {
  return `${value >= 10 ? whole(value) : value.toFixed(1)} ×`
}

/** `45 s`, `2 min 10 s`, `6 h 57 min`. */
function span(seconds: number): string {
  const s = Math.round(seconds)
  if (s < 60) return `${s} s`
  const [min, h] = [Math.floor(s / 60), Math.floor(s / 3_600)]
  return h > 0 ? `${h} h ${Math.floor((s % 3_600) / 60)} min` : `${min} min ${s % 60} s`
}
