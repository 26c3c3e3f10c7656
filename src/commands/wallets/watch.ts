import { z } from 'zod'

import type { Kind } from '../../alert/alert.ts'
import { argument } from '../../chat/argument.ts'
import { command } from '../../command/command.ts'
import type { Context, Read, ReadResult } from '../../command/context.ts'
import { type Button, item, type Message, message, say, type Text, words } from '../../message/message.ts'
import type { Watch } from '../../people/person.ts'
import type { Market } from '../../venue/market.ts'
import { isSlow } from '../../venue/venue-load.ts'
import type { Identified, PositionsAnswer } from '../../venue/venue.ts'
import { type Wallet, shortWallet } from '../../venue/wallet.ts'
import { positionItem, worstFirst } from '../shared/position-lines.ts'
import { reachLines } from '../shared/places.ts'
import { protectionLines } from '../shared/protection.ts'
import {
  blindItems,
  freshnessOf,
  ageNote,
  gaps,
  type Missing,
  missingOf,
  withMarketsOf,
} from '../shared/readings.ts'
import { knownAt, knownLines, silentVenues, withoutFailuresAt } from '../shared/venues/looks.ts'
import { turnsLines } from '../shared/venue-load.ts'
import { cleanLabel } from '../shared/wallet-names.ts'
import { labelQuestion } from './label.ts'
import { subsButton } from './subs.ts'
import { alertsText, armedFor, masterAmong, startWatching, subLabel, whoseQuestion } from './watching.ts'

/** Positions shown, two lines each: with the alerts the answer has nine lines. */
const MAX_SHOWN_POSITIONS = 2

/** Watches a wallet, arms sensible alerts for it, and shows its positions at once. */
export default command({
  name: 'watch',
  aliases: ['add'],
  summary: words('menu.watch'),
  examples: ['/watch 0x52908400098527886E0F7030069857D2E4169EE7 main'],
  args: z.object({
    address: argument.address(),
    mine: argument.choice(['yes'], words('watch.mine.asks')).optional(),
    label: argument.text(words('watch.label.asks')).transform(cleanLabel).optional(),
  }),
  async run(context, { address, mine, label: given }) {
    const { from, person, chat, kinds, view, read, sendTest, limits } = context
    if (!chat) return say(words('watch.no-chat'))
    const watches = view.watches(person.id)
    const known = watches.find(({ wallet }) => wallet === address)
    const followed = view.follows(person.id).find(({ wallet }) => wallet === address)
    if (known && mine && given === undefined) return isMine(known.label)
    if (!known && watches.length >= limits.wallets) {
      return say(words('watch.full', { wallets: watches.length }))
    }
    const master = masterAmong(read, watches, address)
    const usual = master
      ? subLabel(
          master.label,
          { wallet: address, name: null },
          view.named(person.id).map((one) => one.label),
        )
      : shortWallet(address)
    const label = given || ((known ?? followed)?.label ?? usual)
    const question = labelQuestion('/watch', { address, given, label }, view.named(person.id))
    if (question) return question
    const [[found, who], markets] = await Promise.all([
      read
        .positions(address)
        .then(async (seen) => [seen, known ? null : await whoIs(read, address, seen)] as const),
      read.markets(),
    ])
    const { settings, armed } = armedFor(context)
    await startWatching(context, { chatId: chat.id, wallet: address, label, isNew: !known, found })
    // The next look at positions has all that the wallet holds.
    if (!known) void read.balances?.(address, Promise.resolve())

    // A promise to write there is checked before it is made.
    const unverified = chat.brokenBecause !== null || (from.answersApart && watches.length === 0)
    const reach = unverified ? reachLines(await sendTest(chat.id)) : []

    const monitors = () =>
      armed
        .filter(({ on }) => on === 'position' || on === 'account')
        .flatMap(({ name }) => protectionLines(context, name, { wallet: address, market: null }))
    const alerts = known
      ? [words('watch.kept'), ...monitors(), ...unset(context, armed, address, label)]
      : [alertsText(kinds, settings)]
    const held = found.is === 'read' ? found.reading.value.positions : []
    const inView = await withMarketsOf(context, markets, held)
    const isAsked = !known && !followed && !mine && !master && !context.isPlayMoney
    return answer(context, { address, known, label, reach, alerts, found, who, markets, inView, isAsked })
  },
})

function isMine(label: string): Message {
  return message([item('plain', words('watch.mine.title', { label }), [words('watch.mine')])])
}

/**
 * Alerts that a first /watch would arm today but that are not set: they were removed, or are newer than this watch.
 * Perch changes nothing unasked.
 */
function unset({ view, person }: Context, armed: readonly Kind[], wallet: Wallet, label: string): Text[] {
  const rules = view.rules(person.id).filter((rule) => rule.wallet === wallet || rule.wallet === null)
  const names = armed.map(({ name }) => name).filter((name) => rules.every(({ kind }) => kind !== name))
  const [first] = names
  if (first === undefined) return []
  const example = { code: `/alert ${first} "${label}"` }
  return [words('watch.unset', { kinds: names.join(', '), example })]
}

/** Cross positions whose account shows no ratio now: its rule is armed, but cannot be judged yet. */
function unweighed({ positions, accounts }: PositionsAnswer): Text[] {
  const known = new Set(
    accounts.flatMap(({ accountId, marginRatio }) => (marginRatio === null ? [] : accountId)),
  )
  const unknown = positions.some(({ margin, accountId }) => margin !== 'isolated' && !known.has(accountId))
  return unknown ? [words('watch.no-ratio')] : []
}

interface Watched {
  address: Wallet
  /** The watch as it was before; undefined if it is new. */
  known: Watch | undefined
  label: string
  /** Why alerts may not arrive; empty if they do. */
  reach: Text[]
  alerts: Text[]
  found: ReadResult<PositionsAnswer>
  /** Null if not asked, or unknown. */
  who: Identified | null
  markets: ReadResult<ReadonlyMap<string, Market>>
  inView: ReadonlyMap<string, Market>
  /** Nothing says yet whether the wallet is the person's own. */
  isAsked: boolean
}

function answer(context: Context, watched: Watched): Message {
  const { known, label, reach, alerts, found, who, markets, inView } = watched
  const { now } = context.reader
  const slow = context.venueLoads().filter(({ turns }) => isSlow(turns))
  const watches = context.view.watches(context.person.id)
  const change = { label: words('watch.button.alerts'), line: '/alerts', replace: false }
  const whose = watched.isAsked && !isOfOwn(who, watches) ? whoseButtons(watched.address) : []
  const question = whose.length === 0 ? [] : [item('plain', words('watch.whose'))]
  if (found.is === 'unseen') {
    const why = [...reach, words('watch.unseen', { why: found.why }), words('watch.keep-trying'), ...alerts]
    return message([item('plain', headText(known, label, 0), why), ...question], {
      buttons: [...whose, change],
      ...(whose.length > 0 && { question: whoseQuestion(watched.address) }),
    })
  }
  const { positions } = found.reading.value
  const { venues } = context.view.status()
  const silent = silentVenues(context.view, watched.address, found.reading.value)
  const gap = gaps(withoutFailuresAt(found.reading.value, silent, venues))
  const held = positions.map((position) => ({
    position,
    market: inView.get(position.marketId) ?? null,
    symbol: inView.get(position.marketId)?.symbol ?? context.view.symbol(position.marketId),
    wallet: label,
  }))
  const shown = worstFirst(held).slice(0, MAX_SHOWN_POSITIONS)
  const more = positions.length - shown.length
  const isSure = gap === null && silent.length === 0
  const none = isSure ? identityLines(who, watches) : [words('watch.unsure')]
  const lines = [
    ...reach,
    ...(positions.length > 0 ? subAccountLines(who, 'holds') : none),
    ...(gap === null ? [] : [words('watch.gap', { gap })]),
    ...knownLines(knownAt(found.reading.value, venues)),
    ...slow.flatMap(({ turns }) => turnsLines(turns)),
    ...(context.kinds.some(({ on }) => on === 'account') ? unweighed(found.reading.value) : []),
    ...alerts,
  ]
  const missing: Missing[] = [
    ...silent.map(({ venue: what, ...one }) => ({ ...{ what, is: 'silent' as const }, ...one })),
    ...missingOf(label, freshnessOf(found), now),
    ...(positions.length > 0 ? missingOf(words('watch.prices'), freshnessOf(markets), now) : []),
  ]
  return message(
    [
      item('plain', headText(known, label, positions.length), lines),
      ...blindItems(missing, now),
      ...shown.map((one) => positionItem(one, now, false)),
      ...(more > 0
        ? [item('plain', words(whose.length > 0 ? 'watch.more.whose' : 'watch.more', { more }))]
        : question),
    ],
    {
      buttons: [
        ...whose,
        ...identityButtons(watched.address, who, watches),
        ...(positions.length > 0
          ? [{ label: words('watch.button.positions'), line: '/positions', replace: false }]
          : []),
        change,
      ],
      ...(whose.length > 0 && { question: whoseQuestion(watched.address) }),
      footnote: missing.length > 0 ? ageNote(found.reading.at, now) : null,
    },
  )
}

function headText(known: Watch | undefined, label: string, positions: number): Text {
  if (known)
    return known.label === label
      ? words('watch.known.title', { label })
      : words('watch.renamed.title', { before: known.label, label })
  return positions === 0
    ? words('watch.done.title', { label })
    : words('watch.done-positions.title', { label, positions })
}

/** Asks for the kind of address, and for its sub-accounts: only its own answer may leave the kind open. Null if unknown. */
async function whoIs(
  read: Read,
  wallet: Wallet,
  found: ReadResult<PositionsAnswer>,
): Promise<Identified | null> {
  if (found.is === 'unseen' || found.late !== null) return null
  const { positions, accounts } = found.reading.value
  // Money is there: only its holder has any.
  const isFunded =
    positions.length > 0 || accounts.some(({ equityUsd }) => equityUsd !== null && equityUsd > 0n)
  const who = await read.identify(wallet, found.reading.mono, isFunded)
  return who ?? (isFunded ? { is: 'holder' } : null)
}

/** Explains the kind of address to people who watch it. Empty if that is clear already. */
function identityLines(who: Identified | null, watches: readonly Watch[]): Text[] {
  if (who === null) return [words('watch.nothing')]
  if (who.is === 'holder') return [words('watch.idle'), ...subAccountLines(who, 'idle')]
  if (who.is === 'unknown') return [words('watch.strange')]
  const watch = watches.find(({ wallet }) => wallet === who.of)
  return [
    watch
      ? words('watch.agent-known', { wallet: watch.label })
      : words('watch.agent', { wallet: shortWallet(who.of) }),
  ]
}

/** A sub-account is a wallet of its own: watching its master shows nothing of it. */
function subAccountLines(who: Identified | null, master: 'holds' | 'idle'): Text[] {
  const all = who?.is === 'holder' ? (who.subAccounts ?? []) : []
  const open = all.filter(({ holds }) => holds).length
  if (all.length === 0) return []
  if (open > 0) return [words('watch.subs-open', { accounts: all.length, open })]
  return [words(master === 'idle' ? 'watch.subs-idle' : 'watch.subs-none', { accounts: all.length })]
}

/** Leads to where the positions are. */
function identityButtons(master: Wallet, who: Identified | null, watches: readonly Watch[]): Button[] {
  const isWatched = (one: Wallet) => watches.some(({ wallet }) => wallet === one)
  if (who?.is === 'holder') {
    const left = (who.subAccounts ?? []).filter((one) => !isWatched(one.wallet))
    return left.length === 0 ? [] : [subsButton(master, watches)]
  }
  if (who?.is !== 'agent' || isWatched(who.of)) return []
  return [
    {
      label: words('watch.button.watch', { wallet: shortWallet(who.of) }),
      line: `/watch ${who.of}`,
      replace: true,
    },
  ]
}

/** The address signs for a wallet that the person watches as their own. */
function isOfOwn(who: Identified | null, watches: readonly Watch[]): boolean {
  return who?.is === 'agent' && watches.some(({ wallet }) => wallet === who.of)
}

/** It is guarded until somebody says that it is not theirs: nothing waits for the answer. */
function whoseButtons(address: Wallet): Button[] {
  return [
    { label: words('watch.button.mine'), line: `/watch ${address} yes`, replace: false },
    { label: words('watch.button.others'), line: `/follow ${address}`, replace: false },
  ]
}
