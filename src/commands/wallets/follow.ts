import { z } from 'zod'

import { USUAL_HOLD_MS } from '../../alert/alert.ts'
import { argument, leastUsd, typedSum } from '../../chat/argument.ts'
import { command } from '../../command/command.ts'
import type { Context, Firing, ReadResult } from '../../command/context.ts'
import { usd } from '../../message/figure.ts'
import {
  type Button,
  item,
  joined,
  type Message,
  message,
  type Question,
  say,
  type Text,
  text,
  words,
} from '../../message/message.ts'
import { asking } from '../../message/question.ts'
import type { Watch } from '../../people/person.ts'
import { waitingAt } from '../../people/question.ts'
import { side } from '../../venue/position.ts'
import type { PositionsAnswer } from '../../venue/venue.ts'
import { shortWallet, type Wallet } from '../../venue/wallet.ts'
import { firingLines } from '../shared/firing-lines.ts'
import { cleanLabel, referenceAmong } from '../shared/wallet-names.ts'
import { labelQuestion } from './label.ts'
import { freshIn, whoseQuestion } from './watching.ts'

/** The least sizes that are offered, in USD; 0 is every change. */
const LEAST = [0, 10_000, 100_000, 1_000_000] as const

const MAX_NAMED_POSITIONS = 3
const MAX_FIRING = 3

/** `whale 5%`: a share is no least size, and hardly part of a name. */
const SHARE = /\s*(?<!\S)[-+<>]?\d[\d.,]*%$/

/** Follows the wallet of somebody else: tells what it does, quietly, and warns of nothing. */
export default command({
  name: 'follow',
  summary: words('menu.follow'),
  examples: ['/follow 0x51aB1e0000000000000000000000000000000001 whale $10k'],
  audience: 'bound',
  args: z.object({
    address: argument.address(words('follow.address.asks'), 'followed'),
    least: leastUsd().optional(),
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
    if (given !== undefined && SHARE.test(given)) return askForMoney(address, given)
    const question = labelQuestion('/follow', { address, given, label }, view.named(person.id))
    if (question) return question
    // Others read there, and need not know whose it is.
    if (before?.as === 'own' && !chat.private) return say(words('follow.own.elsewhere'))
    const isAnswer = isAskedWhose(context, address)
    const found = await read.positions(address)
    const ending = before?.as === 'own' ? alertsOf(context, address) : NO_ALERTS
    const isFree = isAnswer && ending.own === 0 && ending.firing.length === 0
    if (before?.as === 'own' && sure !== 'yes' && !isFree) return askToGiveUp(context, before, ending, least)
    const told = view.rules(person.id).find((rule) => rule.wallet === address && rule.kind === kind.name)
    const params = kind.params.parse(least === undefined ? (told?.params ?? {}) : { least })
    const rule = { kind: kind.name, params, wallet: address, market: null, armedByWatch: true }
    await change({
      is: 'watch',
      ...{ personId: person.id, chatId: chat.id, wallet: address, label, as: 'followed' },
      arm: [{ ...rule, holdMs: USUAL_HOLD_MS }],
      shown: freshIn(found, address, view),
    })
    const from = kind.describe(params)
    const isAsked = least === undefined && !told
    return answer(context, { address, before, ending, label, found, from, isAsked })
  },
})

/** Whether the question of the new watch still waits: later, an old button must not end its protection at one tap. */
function isAskedWhose({ view, from, reader }: Context, wallet: Wallet): boolean {
  const waiting = waitingAt(view.question(from.by, from.chat), reader.now)
  return waiting?.question.start === whoseQuestion(wallet).start
}

/** The alerts that end when an own wallet is only followed. */
interface GivenUp {
  byWatch: number
  /** Set by hand: watching the wallet again does not bring these back. */
  own: number
  firing: readonly Firing[]
}

const NO_ALERTS: GivenUp = { byWatch: 0, own: 0, firing: [] }

function alertsOf({ view, person }: Context, wallet: Wallet): GivenUp {
  const rules = view.rules(person.id).filter((rule) => rule.wallet === wallet)
  const byWatch = rules.filter(({ armedByWatch }) => armedByWatch).length
  const firing = view
    .firing(person.id)
    .filter(({ subject }) => 'wallet' in subject && subject.wallet === wallet)
  return { byWatch, own: rules.length - byWatch, firing }
}

/** Following ends the protection of an own wallet, so it needs a second word. */
function askToGiveUp(
  context: Context,
  { wallet, label }: Watch,
  { byWatch, own, firing }: GivenUp,
  least: number | undefined,
): Message {
  const { view, person } = context
  const most = least === undefined ? '' : `${typedSum({ unit: 'usd', value: least })} `
  const lines = [
    own === 0
      ? words('follow.own', { n: byWatch })
      : byWatch === 0
        ? words('follow.own.yours', { n: own })
        : words('follow.own.both', { n: byWatch, own }),
    words('follow.own.loss'),
    ...(firing.length === 0 ? [] : [words('follow.own.on'), ...firingLines(context, firing, MAX_FIRING)]),
  ]
  return message([item('plain', words('follow.own.title', { label }), lines)], {
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
  ending: GivenUp
  label: string
  found: ReadResult<PositionsAnswer>
  /** From which size on it tells. */
  from: Text
  /** Nobody has named that size yet. */
  isAsked: boolean
}

function answer(context: Context, followed: Followed): Message {
  const { address, before, ending, label, found, from, isAsked } = followed
  const removed = ending.byWatch + ending.own
  const title = words('follow.done.title', { label })
  const lines = [
    words('follow.done', { from }),
    heldText(context, found),
    ...(removed === 0 ? [] : [words('unwatch.done.rules', { n: removed })]),
    ...(isAsked ? [words('follow.from')] : []),
  ]
  const back: Button[] =
    before?.as === 'own'
      ? [{ label: words('follow.button.mine'), line: `/watch ${address}`, replace: false }]
      : []
  const show: Button = { label: words('follow.button.wallets'), line: '/wallets', replace: false }
  return message([item('plain', title, lines)], {
    buttons: isAsked ? [...leastButtons(`/follow ${address}`), ...back] : [...back, show],
    ...(isAsked && { question: leastQuestion(address) }),
  })
}

function askForMoney(address: Wallet, given: string): Message {
  const label = given.replace(SHARE, '')
  const start = `/follow ${address}${label === '' ? '' : ` "${label}"`}`
  const question = { start, prompt: words('ask.word.size'), placeholder: '$10k' }
  return asking(words('follow.from'), question, leastButtons(start), { lines: [words('follow.money')] })
}

function leastQuestion(address: Wallet): Question {
  return { start: `/follow ${address}`, prompt: words('ask.word.size'), placeholder: '$10k', passing: true }
}

/** The choice of the least size: it is asked for, and following has begun meanwhile. */
function leastButtons(start: string): Button[] {
  return LEAST.map((least) => ({
    label: least === 0 ? words('follow.button.every') : text`${usd(least)}`,
    line: `${start} ${typedSum({ unit: 'usd', value: least })}`,
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
