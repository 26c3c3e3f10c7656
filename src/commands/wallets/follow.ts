import { z } from 'zod'

import { USUAL_HOLD_MS } from '../../alert/alert.ts'
import { argument, cents, typedSum } from '../../chat/argument.ts'
import { command } from '../../command/command.ts'
import type { Context, ReadResult } from '../../command/context.ts'
import { usd } from '../../message/figure.ts'
import {
  type Button,
  item,
  joined,
  type Message,
  message,
  say,
  type Text,
  text,
  words,
} from '../../message/message.ts'
import type { Watch } from '../../people/person.ts'
import { side } from '../../venue/position.ts'
import { unsolicitedByVenue } from '../../venue/reading.ts'
import type { PositionsAnswer } from '../../venue/venue.ts'
import { shortWallet, type Wallet } from '../../venue/wallet.ts'
import { cleanLabel, referenceAmong } from '../shared/wallet-names.ts'
import { labelQuestion } from './label.ts'

/** The least sizes that are offered, in USD; 0 is every change. */
const LEAST = [0, 10_000, 100_000, 1_000_000] as const

const MAX_NAMED_POSITIONS = 3

/** The answer to a new watch asks whose it is. Later, an old button must not end its protection at one tap. */
const NEW_MS = 10 * 60_000

/** Follows the wallet of somebody else: tells what it does, quietly, and warns of nothing. */
export default command({
  name: 'follow',
  summary: words('menu.follow'),
  examples: ['/follow 0x52908400098527886E0F7030069857D2E4169EE7 whale $10k'],
  audience: 'bound',
  args: z.object({
    address: argument.address(words('follow.address.asks')),
    least: argument
      .usd(words('arg.followed'))
      .refine((least) => least >= 0 && Number.isFinite(least), 'check.followed')
      .transform(cents)
      .optional(),
    sure: argument.choice(['yes'], words('follow.sure.asks')).optional(),
    label: argument.text(words('watch.label.asks')).transform(cleanLabel).optional(),
  }),
  async run(context, { address, least, sure, label: given }) {
    const { person, chat, kinds, view, read, change, limits } = context
    if (!chat) return say(words('watch.no-chat'))
    const kind = kinds.find(({ whose }) => whose === 'followed')
    if (!kind) throw new Error('no kind tells of followed wallets')
    const follows = view.follows(person.id)
    const before = view.named(person.id).find(({ wallet }) => wallet === address)
    if (before?.as !== 'followed' && follows.length >= limits.followed)
      return say(words('follow.full', { wallets: follows.length }))
    const label = given || (before?.label ?? shortWallet(address))
    const question = labelQuestion('/follow', { address, given, label }, view.named(person.id))
    if (question) return question
    // Others read there, and need not know whose it is.
    if (before?.as === 'own' && !chat.private) return say(words('follow.own.elsewhere'))
    if (before?.as === 'own' && sure !== 'yes' && !isNew(before, context.reader.now))
      return askToGiveUp(context, before, least)
    const found = await read.positions(address)
    const told = view.rules(person.id).find((rule) => rule.wallet === address && rule.kind === kind.name)
    const params = kind.params.parse(least === undefined ? (told?.params ?? {}) : { least })
    const rule = { kind: kind.name, params, wallet: address, market: null, armedByWatch: true }
    await change({
      is: 'watch',
      ...{ personId: person.id, chatId: chat.id, wallet: address, label, as: 'followed' },
      arm: [{ ...rule, holdMs: USUAL_HOLD_MS }],
      shown:
        found.is === 'read' && found.late === null
          ? unsolicitedByVenue(address, found.reading, view.status().venues)
          : [],
    })
    const from = kind.describe(params)
    return answer(context, { address, before, label, found, from, isAsked: least === undefined && !told })
  },
})

function isNew({ since }: Watch, now: number): boolean {
  return now >= since && now - since < NEW_MS
}

/** Following ends the protection of an own wallet, so it needs a second word. */
function askToGiveUp(
  { view, person }: Context,
  { wallet, label }: Watch,
  least: number | undefined,
): Message {
  const rules = view.rules(person.id).filter((rule) => rule.wallet === wallet).length
  const most = least === undefined ? '' : `${typedSum({ unit: 'usd', value: least })} `
  return message([item('plain', words('follow.own.title', { label }), [words('follow.own', { n: rules })])], {
    buttons: [
      { label: words('follow.button.only'), line: `/follow ${wallet} ${most}yes`, replace: true },
      {
        label: words('follow.button.keep'),
        line: `/wallets ${referenceAmong(wallet, view.named(person.id))}`,
        replace: true,
      },
    ],
  })
}

interface Followed {
  address: Wallet
  before: Watch | undefined
  label: string
  found: ReadResult<PositionsAnswer>
  /** From which size on it tells. */
  from: Text
  /** Nobody has named that size yet. */
  isAsked: boolean
}

function answer(context: Context, { address, before, label, found, from, isAsked }: Followed): Message {
  const title = words('follow.done.title', { label })
  const lines = [
    words('follow.done', { from }),
    heldText(context, found),
    ...(isAsked ? [words('follow.from')] : []),
  ]
  const back: Button[] =
    before?.as === 'own'
      ? [{ label: words('follow.button.mine'), line: `/watch ${address}`, replace: false }]
      : []
  const show: Button = { label: words('follow.button.wallets'), line: '/wallets', replace: false }
  return message([item('plain', title, lines)], {
    buttons: isAsked ? [...leastButtons(address), ...back] : [...back, show],
  })
}

/** The choice of the least size: it is asked for, and following has begun meanwhile. */
function leastButtons(address: Wallet): Button[] {
  return LEAST.map((least) => ({
    label: least === 0 ? words('follow.button.every') : text`${usd(least)}`,
    line: `/follow ${address} ${typedSum({ unit: 'usd', value: least })}`,
    replace: true,
  }))
}

/** Names its positions, or says why they are not known. */
function heldText({ view }: Context, found: ReadResult<PositionsAnswer>): Text {
  if (found.is === 'unseen') return words('watch.unseen', { why: found.why })
  const { positions } = found.reading.value
  if (positions.length === 0) return words('follow.nothing')
  const named = positions
    .slice(0, MAX_NAMED_POSITIONS)
    .map((position) => `${view.symbol(position.marketId)} ${side(position)}`)
  const more = positions.length - named.length
  const held = joined(more > 0 ? [...named, words('follow.more', { more })] : named, ', ')
  return words('follow.holds', { held })
}
