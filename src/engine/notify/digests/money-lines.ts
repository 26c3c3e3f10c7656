import { type Item, item, type Text, words } from '../../../message/message.ts'
import type { DigestMoney, MoneyRead } from '../../../people/digest.ts'
import { apartLines, isStill, money, partsOf } from '../../../venue/record/money-words.ts'
import { profitOf } from '../../../venue/record/sums.ts'

/** The profit since the last digest, and until when it was read; nothing where venues show no record. */
export function moneyItems(read: MoneyRead): Item[] {
  if (read.is === 'hidden') return []
  if (read.is === 'unread') return [item('plain', words('digest.money.unread'))]
  const { sums, since, until } = read.money
  const span = { since: { time: since, as: 'clock' }, until: { time: until, as: 'clock' } } as const
  const more = [...apartLines(sums), ...moneyDoubts(read.money)]
  if (isStill(sums)) return [item('plain', words('digest.money.none.title', span), more)]
  const title = words('digest.money.title', { usd: money(profitOf(sums)), ...span })
  return [item('plain', title, [words('money.market', partsOf(sums)), ...more])]
}

/** Lines about parts of the money that are missing. */
export function moneyDoubts({ wallets, wholeFrom, without, sums }: DigestMoney): Text[] {
  const { read, all } = wallets
  return [
    ...(read < all ? [words('digest.money.part', { some: String(read), n: String(all) })] : []),
    ...(wholeFrom === null
      ? []
      : [words('digest.money.short', { at: { time: wholeFrom, as: 'clock' } as const })]),
    ...without.map((venue) => words('digest.money.without', { venue })),
    ...(sums.unknownFees === 0 ? [] : [words('money.unknown-fees', { n: sums.unknownFees })]),
  ]
}

/** `profit until 07:59 UTC`: what came later is told by the next digest. */
export function untilText({ until }: DigestMoney): Text {
  return words('digest.money.until', { until: { time: until, as: 'clock' } })
}
