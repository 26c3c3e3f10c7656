import { findKind, type Kind } from '../../alert/alert.ts'
import { armedBy } from '../../alert/preset.ts'
import type { Context, ReadResult } from '../../command/context.ts'
import { skeleton } from '../../lib/text/legible.ts'
import { type Question, type Text, words } from '../../message/message.ts'
import type { Watch } from '../../people/person.ts'
import { unsolicitedByVenue, type WalletReading } from '../../venue/reading.ts'
import type { PositionsAnswer, SubAccount } from '../../venue/venue.ts'
import { shortWallet, type Wallet } from '../../venue/wallet.ts'
import { cleanLabel, shorterLabel } from '../shared/wallet-names.ts'

/** The rules that a new watch of this person arms, and their kinds. */
export function armedFor({ kinds, person }: Pick<Context, 'kinds' | 'person'>): {
  settings: ReturnType<typeof armedBy>
  armed: readonly Kind[]
} {
  const settings = armedBy(kinds, person.preset)
  return { settings, armed: settings.flatMap(({ kind }) => findKind(kinds, kind) ?? []) }
}

/** The question of a new watch: its buttons say `Mine` and `Somebody else’s`, and the same words are taken. */
export function whoseQuestion(wallet: Wallet): Question {
  const prompt = words('ask.word.answer')
  return { start: `/watch ${wallet}`, prompt, placeholder: words('watch.button.mine'), passing: true }
}

/** Watches a wallet under this label, and arms its alerts if it is new. */
export async function startWatching(
  context: Pick<Context, 'person' | 'kinds' | 'view' | 'change'>,
  given: {
    chatId: number
    wallet: Wallet
    label: string
    isNew: boolean
    found: ReadResult<PositionsAnswer>
  },
): Promise<void> {
  const { chatId, wallet, label, isNew, found } = given
  const { person, view, change } = context
  const scope = { wallet, market: null, armedByWatch: true }
  const arm = armedFor(context).settings.map((one) => ({ ...one, ...scope }))
  await change({
    is: 'watch',
    personId: person.id,
    chatId,
    wallet,
    label,
    as: 'own',
    arm: isNew ? arm : [],
    shown: freshIn(found, wallet, view),
  })
}

/** The readings of a fresh answer, by venue: the engine takes them with the watch. Empty if the answer is an old one. */
export function freshIn(
  found: ReadResult<PositionsAnswer>,
  wallet: Wallet,
  view: Context['view'],
): WalletReading[] {
  return found.is === 'read' && found.late === null
    ? unsolicitedByVenue(wallet, found.reading, view.status().venues)
    : []
}

/** Names everything that rings from now on, with the thresholds. */
export function alertsText(kinds: readonly Kind[], settings: ReturnType<typeof armedBy>): Text {
  const thresholds = (on: Kind['on']) => {
    for (const { kind: name, params } of settings) {
      const kind = findKind(kinds, name)
      if (kind?.is === 'level' && kind.on === on) return kind.describe(params)
    }
    return null
  }
  const [tiers, ratios] = [thresholds('position') ?? '', thresholds('account')]
  return ratios === null ? words('watch.alerts', { tiers }) : words('watch.alerts-margin', { tiers, ratios })
}

/** The watched wallet that this one is a sub-account of, as far as it is known; null if there is none. */
export function masterAmong(
  { masterOf }: Context['read'],
  watches: readonly Watch[],
  wallet: Wallet,
): Watch | null {
  const master = masterOf(wallet)
  return watches.find((one) => one.wallet === master) ?? null
}

/** `main · Scalps`: the name that its trader gave it, or a number, or its address, so that it looks like no other label. */
export function subLabel(
  master: string,
  { wallet, name }: Pick<SubAccount, 'wallet' | 'name'>,
  taken: readonly string[],
): string {
  const used = new Set(taken.map(skeleton))
  const own = name === null ? '' : cleanLabel(name)
  const numbers = taken.map((_, place) => `sub ${place + 1}`)
  for (const last of [...(own === '' ? [] : [own]), ...numbers, `sub ${taken.length + 1}`]) {
    const label = `${master} · ${last}`
    if (shorterLabel(label) === null && !used.has(skeleton(label))) return label
  }
  return shortWallet(wallet)
}
