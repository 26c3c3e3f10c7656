import { type Item, item, type Text, words } from '../../../message/message.ts'
import type { DigestMoney, MoneyRead } from '../../../people/digest.ts'
import { apartLines, isStill, money, partsOf } from '../../../venue/record/money-words.ts'
import { profitOf } from '../../../venue/record/sums.ts'

/** Money that is older than this when the digest comes says so. */
const OLD_MS = 15 * 60_000

/** The profit since the last digest; nothing where venues show no record. */
export function moneyItems(read: MoneyRead, now: number): Item[] {
  if (read.is === 'hidden') return []
  if (read.is === 'unread') return [item('plain', words('digest.money.unread'))]
  const { sums, since } = read.money
  const from = { time: since, as: 'clock' } as const
  const more = [...apartLines(sums), ...moneyDoubts(read.money, now)]
  if (isStill(sums)) return [item('plain', words('digest.money.none.title', { since: from }), more)]
  const title = words('digest.money.title', { usd: money(profitOf(sums)), since: from })
  return [item('plain', title, [words('money.market', partsOf(sums)), ...more])]
}

/** Lines about parts of the money that are missing, or old. */
export function moneyDoubts({ wallets, wholeFrom, without, sums, until }: DigestMoney, now: number): Text[] {
  const { read, all } = wallets
  return [
    ...(read < all ? [words('digest.money.part', { some: String(read), n: String(all) })] : []),
    ...(wholeFrom === null
      ? []
      : [words('digest.money.short', { at: { time: wholeFrom, as: 'clock' } as const })]),
    ...without.map((venue) => words('digest.money.without', { venue })),
    ...(sums.unknownFees === 0 ? [] : [words('money.unknown-fees', { n: sums.unknownFees })]),
    ...(now - until < OLD_MS
      ? []
      : [words('digest.money.old', { at: { time: until, as: 'clock' } as const })]),
  ]
}
