import { z } from 'zod'

import { type Kind, USUAL_HOLD_MS } from '../../alert/alert.ts'
import { argument } from '../../chat/argument.ts'
import { command } from '../../command/command.ts'
import type { Context, Read, ReadResult } from '../../command/context.ts'
import { skeleton } from '../../lib/text/legible.ts'
import {
  type Button,
  type Item,
  item,
  type Message,
  message,
  say,
  type Text,
  words,
} from '../../message/message.ts'
import { asking } from '../../message/question.ts'
import type { Watch } from '../../people/person.ts'
import type { Market } from '../../venue/market.ts'
import { unsolicited } from '../../venue/reading.ts'
import { isSlow } from '../../venue/venue-load.ts'
import type { Identified, PositionsAnswer, SubAccount } from '../../venue/venue.ts'
import { type Wallet, shortWallet } from '../../venue/wallet.ts'
import { positionItem, worstFirst } from '../look/position-lines.ts'
import { count } from '../shared/pages.ts'
import { reachLines } from '../shared/places.ts'
import { protectionLines } from '../shared/protection.ts'
import { blindItems, freshnessOf, ageNote, gaps, missingOf, withMarketsOf } from '../shared/readings.ts'
import { turnsLines } from '../shared/venue-load.ts'
import { cleanLabel, shorterLabel } from '../shared/wallet-names.ts'

/** Positions shown: with the answer, the missing parts and the alerts a message has ten items. */
const MAX_SHOWN_POSITIONS = 7

/** Watches a wallet, arms sensible alerts for it, and shows its positions at once. */
export default command({
  name: 'watch',
  aliases: ['add'],
  summary: words('menu.watch'),
  examples: ['/watch 0x52908400098527886E0F7030069857D2E4169EE7 main'],
  args: z.object({
    address: argument.address(),
    label: argument.text('a label').transform(cleanLabel).optional(),
  }),
  async run(context, { address, label: given }) {
    const { from, person, chat, kinds, view, read, change, sendTest, limits } = context
    if (!chat) return say('I have no private chat with you yet: write to me there first.')
    const watches = view.watches(person.id)
    const known = watches.find(({ wallet }) => wallet === address)
    if (!known && watches.length >= limits.wallets) {
      return say(
        `You watch ${watches.length} wallets, and ${limits.wallets} is the most. /unwatch one first.`,
      )
    }
    const shorter = given === undefined ? null : shorterLabel(given)
    if (shorter !== null) {
      return message(
        [item('plain', 'That label is too long: it has room for 24 letters.', ['Choose a shorter one.'])],
        {
          buttons: [{ label: `Call it ${shorter}`, line: `/watch ${address} "${shorter}"`, replace: true }],
        },
      )
    }
    const label = given || (known?.label ?? shortWallet(address))
    const namesake = watches.find((one) => one.wallet !== address && skeleton(one.label) === skeleton(label))
    if (namesake)
      return asking(
        namesake.label.toLowerCase() === label.toLowerCase()
          ? `You call ${shortWallet(namesake.wallet)} ${label} already. Choose another name.`
          : `${label} looks like ${namesake.label}, as you call ${shortWallet(namesake.wallet)}. Choose another name.`,
        { start: `/watch ${address}`, prompt: words('ask.word.label'), placeholder: 'main' },
        [],
      )
    const [[found, who], markets] = await Promise.all([
      read
        .positions(address)
        .then(async (seen) => [seen, known ? null : await whoIs(read, address, seen)] as const),
      read.markets(),
    ])
    const armed = kinds.filter(({ armedByWatch }) => armedByWatch !== null)
    const arm = armed.map((kind) => ({
      kind: kind.name,
      params: kind.armedByWatch,
      wallet: address,
      market: null,
      armedByWatch: true,
      holdMs: USUAL_HOLD_MS,
    }))
    await change({
      is: 'watch',
      personId: person.id,
      chatId: chat.id,
      wallet: address,
      label,
      arm: known ? [] : arm,
      shown: found.is === 'read' && found.late === null ? unsolicited(address, found.reading) : null,
    })

    // A promise to write there is checked before it is made.
    const unverified = chat.brokenBecause !== null || (from.answersApart && watches.length === 0)
    const reach = unverified ? reachLines(await sendTest(chat.id)) : []

    const monitors = armed
      .filter(({ on }) => on === 'position' || on === 'account')
      .flatMap(({ name }) => protectionLines(context, name, { wallet: address, market: null }, 'describe'))
    const head = known
      ? known.label === label
        ? `I watch ${label} already`
        : `${known.label} is called ${label} now`
      : `I watch ${label} now`
    const alerts = known
      ? item('plain', 'Its rules stay as they are: /alerts', [
          ...monitors,
          ...unset(context, armed, address, label),
        ])
      : item('plain', 'I tell you when', [
          ...armed.map(({ summary }) => summary),
          ...monitors,
          'Change it with /alert.',
        ])
    const held = found.is === 'read' ? found.reading.value.positions : []
    const inView = await withMarketsOf(context, markets, held)
    return answer(context, { head, label, reach, alerts, found, who, markets, inView })
  },
})

/**
 * Alerts that a first /watch would arm today but that are not set: they were removed, or are newer than this watch.
 * Perch changes nothing unasked.
 */
function unset({ view, person }: Context, armed: readonly Kind[], wallet: Wallet, label: string): string[] {
  const rules = view.rules(person.id).filter((rule) => rule.wallet === wallet || rule.wallet === null)
  const names = armed.map(({ name }) => name).filter((name) => rules.every(({ kind }) => kind !== name))
  const [first] = names
  return first === undefined
    ? []
    : [`Not set for it: ${names.join(', ')}. For example: /alert ${first} "${label}"`]
}

/** Cross positions whose account shows no ratio now: its rule is armed, but cannot be judged yet. */
function unweighed({ positions, accounts }: PositionsAnswer): string[] {
  const known = new Set(
    accounts.flatMap(({ accountId, marginRatio }) => (marginRatio === null ? [] : accountId)),
  )
  const unknown = positions.some(({ margin, accountId }) => margin !== 'isolated' && !known.has(accountId))
  return unknown ? ['I could not see its margin ratio yet, and keep trying.'] : []
}

interface Watched {
  head: string
  label: string
  /** Why alerts may not arrive; empty if they do. */
  reach: Text[]
  alerts: Item
  found: ReadResult<PositionsAnswer>
  /** Null if not asked, or unknown. */
  who: Identified | null
  markets: ReadResult<ReadonlyMap<string, Market>>
  inView: ReadonlyMap<string, Market>
}

function answer(context: Context, watched: Watched): Message {
  const { head, label, reach, alerts, found, who, markets, inView } = watched
  const { now } = context.reader
  const { turns } = context.venueLoad()
  const watches = context.view.watches(context.person.id)
  if (found.is === 'unseen') {
    const why = [
      ...reach,
      `I could not see its positions: ${found.why}`,
      'That is not an all-clear. I keep trying, and your alerts start once I can see it. Check with /positions.',
    ]
    return message([item('plain', head, why), alerts])
  }
  const { positions } = found.reading.value
  const gap = gaps(found.reading.value)
  const held = positions.map((position) => ({
    position,
    market: inView.get(position.marketId) ?? null,
    symbol: inView.get(position.marketId)?.symbol ?? context.view.symbol(position.marketId),
    wallet: label,
  }))
  const shown = worstFirst(held).slice(0, MAX_SHOWN_POSITIONS)
  const more = positions.length - shown.length
  const summary =
    positions.length > 0
      ? `${count(positions.length, 'position')}, the nearest to liquidation first`
      : gap === null
        ? identityLine(who, watches)
        : 'I cannot say whether there are open positions.'
  const lines = [
    ...reach,
    summary,
    ...(gap === null ? [] : [`I do not see everything: ${gap}`]),
    ...(more > 0 ? [`and ${more} more: /positions`] : []),
    ...(isSlow(turns) ? turnsLines(turns) : []),
    ...(context.kinds.some(({ on }) => on === 'account') ? unweighed(found.reading.value) : []),
  ]
  const missing = [
    ...missingOf(label, freshnessOf(found), now),
    ...(positions.length > 0 ? missingOf('prices', freshnessOf(markets), now) : []),
  ]
  return message(
    [
      item('plain', head, lines),
      ...blindItems(missing, now),
      ...shown.map((one) => positionItem(one, now, false)),
      alerts,
    ],
    {
      buttons: identityButtons(who, watches),
      footnote: ageNote(found.reading.at, now),
    },
  )
}

/** Asks for the kind of address, only if its own answer leaves that open. Null if unknown. */
async function whoIs(
  read: Read,
  wallet: Wallet,
  found: ReadResult<PositionsAnswer>,
): Promise<Identified | null> {
  if (found.is === 'unseen' || found.late !== null) return null
  const { positions, accounts } = found.reading.value
  if (positions.length > 0) return null
  // Money is there: only its holder has any.
  const isFunded = accounts.some(({ equityUsd }) => equityUsd !== null && equityUsd > 0n)
  const who = await read.identify(wallet, found.reading.mono, isFunded)
  return who ?? (isFunded ? { is: 'holder' } : null)
}

/** Explains the kind of address to people who watch it. Empty if that is clear already. */
function identityLine(who: Identified | null, watches: readonly Watch[]): string {
  if (who === null) return 'The venue shows no open position there. If you expected one, check the address.'
  if (who.is === 'holder')
    return `The venue knows this wallet. Nothing is open there at present.${subAccountsText(who.subAccounts)}`
  if (who.is === 'unknown') {
    return 'The venue has never seen this address: check it. I watch it all the same, it may be new.'
  }
  const watch = watches.find(({ wallet }) => wallet === who.of)
  return watch
    ? `This address signs for ${watch.label}: its positions are there, and you watch that one already.`
    : `This address signs for ${shortWallet(who.of)}: its positions are there.`
}

/** The most sub-accounts that get a button. */
const MAX_NAMED_SUB_ACCOUNTS = 3

function holding(all: readonly SubAccount[] = []): Wallet[] {
  return all.flatMap(({ wallet, holds }) => (holds ? [wallet] : [])).slice(0, MAX_NAMED_SUB_ACCOUNTS)
}

/** A sub-account is a wallet of its own: watching its master shows nothing of it. */
function subAccountsText(all: readonly SubAccount[] = []): string {
  if (all.length === 0) return ''
  const many = all.filter(({ holds }) => holds).length
  const what = all.length === 1 ? 'a sub-account' : `${all.length} sub-accounts`
  const hold = many === 0 ? 'nothing is open there either' : `${many} with open positions`
  return ` It has ${what}, ${hold}. I watch a sub-account only by its own address.`
}

/** Leads to where the positions are. */
function identityButtons(who: Identified | null, watches: readonly Watch[]): Button[] {
  const meant = who?.is === 'agent' ? [who.of] : who?.is === 'holder' ? holding(who.subAccounts) : []
  return meant
    .filter((one) => !watches.some(({ wallet }) => wallet === one))
    .map((one) => ({
      label: `Watch ${shortWallet(one)}`,
      line: `/watch ${one}`,
      replace: who?.is === 'agent',
    }))
}
