import { age, usd } from '../../../message/figure.ts'
import { type Item, item, joined, type Text, words } from '../../../message/message.ts'
import { type Amount, toNumber } from '../../../venue/amount.ts'
import { LIVE_MS } from '../../../venue/reading.ts'
import { type Lacking, PARTS, sum, sumOf, type Total } from './total.ts'

/** More parts than this stand below the total, beside an age even more: its line is all that a lock screen shows. */
const MAX_PARTS_IN_TITLE = { live: 3, old: 2 }
const MAX_NAMED_WALLETS = 3
const MAX_NAMED_TOKENS = 3

/** The total of some wallets. */
export interface ShownTotal {
  wallets: readonly Total[]
  /** The venues that show no balances. */
  absent: readonly string[]
  /** When the oldest balances were read (wall time); null if none were. */
  at: number | null
}

/**
 * `Total $48.2k: perps $31.0k, spot $12.1k, vaults $5.1k`, and below it each wallet and what is lacking. With `ageMs` (null:
 * it is live or told elsewhere) `Total $48.2k (19 s old)`.
 */
export function totalItem({ wallets, absent }: ShownTotal, ageMs: number | null = null): Item {
  const parts = sumOf(wallets)
  const named = partsText(parts)
  const whole = usd(toNumber(worth(parts)))
  const total = ageMs === null ? whole : words('holdings.total.aged', { total: whole, age: age(ageMs) })
  const isLong = named.length > MAX_PARTS_IN_TITLE[ageMs === null ? 'live' : 'old']
  const title = !wallets.some(({ isKnown }) => isKnown)
    ? words('holdings.total.unknown')
    : named.length === 0 || isLong
      ? words('holdings.total', { total })
      : words('holdings.total.of', { total, parts: joined(named, ', ') })
  return item('plain', title, [
    ...(isLong ? [joined(named, ', ')] : []),
    ...walletLines(wallets),
    ...lackingLines(wallets),
    ...(absent.length === 0
      ? []
      : [words('holdings.absent', { venues: absent.join(', '), n: absent.length })]),
  ])
}

/** `balances 4 min old`; nothing while they are live. */
export function balancesAge({ at }: ShownTotal, now: number): Text[] {
  return at === null || now - at < LIVE_MS ? [] : [words('holdings.old', { age: age(now - at) })]
}

function worth(parts: Total['parts']): Amount {
  return sum(PARTS.map((part) => parts[part]))
}

function partsText(parts: Total['parts']): Text[] {
  return PARTS.filter((part) => parts[part] !== 0n).map((part) =>
    words(`holdings.part.of.${part}`, { usd: usd(toNumber(parts[part])) }),
  )
}

/** Each of several wallets, the richest first. */
function walletLines(wallets: readonly Total[]): Text[] {
  if (wallets.length < 2) return []
  const richest = wallets.toSorted((a, b) => (worth(a.parts) > worth(b.parts) ? -1 : 1))
  const more = richest.length - MAX_NAMED_WALLETS
  return [
    ...richest
      .slice(0, MAX_NAMED_WALLETS)
      .map(({ wallet, parts, isKnown }) =>
        isKnown
          ? words('holdings.wallet', { wallet, usd: usd(toNumber(worth(parts))) })
          : words('holdings.wallet.unknown', { wallet }),
      ),
    ...(more > 0 ? [words('shown.more', { n: String(more) })] : []),
  ]
}

/** `without staking on main: not read`, once for all wallets that lack the same. */
function lackingLines(wallets: readonly Total[]): Text[] {
  const isOne = wallets.length === 1
  const all = wallets.flatMap(({ wallet, lacking }) => lacking.map((one) => ({ wallet, one })))
  const groups = [...Map.groupBy(all, ({ one }) => JSON.stringify(one)).values()]
  return groups.flatMap((group) => {
    const [first] = group
    if (!first) return []
    const what = lackText(first.one)
    if (isOne || group.length === wallets.length) return [words('holdings.without', what)]
    const labels = group.map(({ wallet }) => wallet)
    const more = labels.length - MAX_NAMED_WALLETS
    const named = labels.slice(0, MAX_NAMED_WALLETS).join(', ')
    const on = more > 0 ? joined([named, words('shown.more', { n: String(more) })], ' ') : named
    return [words('holdings.without.on', { ...what, wallets: on })]
  })
}

function lackText(one: Lacking): { what: Text; why: Text } {
  const notRead = words('holdings.not-read')
  if (one.is === 'venue') return { what: one.name, why: notRead }
  if (one.is === 'unread') return { what: words(`holdings.part.${one.part}`), why: one.why ?? notRead }
  const more = one.tokens.length - MAX_NAMED_TOKENS
  const named = one.tokens.slice(0, MAX_NAMED_TOKENS).join(', ')
  const what = more > 0 ? joined([named, words('shown.more', { n: String(more) })], ' ') : named
  return { what, why: words(one.isUnread ? 'holdings.price-not-read' : 'holdings.no-price') }
}
