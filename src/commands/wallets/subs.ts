import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { command } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { type Button, item, type Message, message, say, type Text, words } from '../../message/message.ts'
import type { Watch } from '../../people/person.ts'
import type { SubAccount } from '../../venue/venue.ts'
import type { Wallet } from '../../venue/wallet.ts'
import { noWallet, referenceAmong } from '../shared/wallet-names.ts'
import { alertsText, armedFor, startWatching, subLabel } from './watching.ts'

/** Each of them is read in every dex, so the rest waits for another tap. */
const MAX_AT_ONCE = 5

/** Watches the sub-accounts of a watched wallet, those with positions first. */
export default command({
  name: 'subs',
  aliases: ['subaccounts'],
  summary: words('menu.subs'),
  examples: ['/subs main'],
  args: z.object({ wallet: argument.wallet() }),
  async run(context, { wallet }) {
    const { person, chat, view, read, limits } = context
    if (!chat) return say(words('watch.no-chat'))
    const watches = view.watches(person.id)
    const master = watches.find((one) => one.wallet === wallet)
    if (!master) return noWallet()
    const who = await read.identify(wallet, null, true)
    if (who === null || (who.is === 'holder' && who.isPartial))
      return say(words('subs.unseen', { wallet: master.label }))
    const all = who.is === 'holder' ? (who.subAccounts ?? []) : []
    const left = holdersFirst(all.filter((one) => !watches.some((watch) => watch.wallet === one.wallet)))
    if (left.length === 0)
      return say(words(all.length === 0 ? 'subs.none' : 'subs.all', { wallet: master.label }))
    const room = limits.wallets - watches.length
    if (room <= 0) return say(words('watch.full', { wallets: watches.length }))
    const chosen = left.slice(0, Math.min(room, MAX_AT_ONCE))
    const lines = await watchAll(context, { chosen, master, chatId: chat.id })
    return answer(context, { master, lines, count: chosen.length, rest: left.length - chosen.length, room })
  },
})

function holdersFirst(all: readonly SubAccount[]): SubAccount[] {
  return [...all.filter(({ holds }) => holds), ...all.filter(({ holds }) => !holds)]
}

interface Chosen {
  chosen: readonly SubAccount[]
  master: Watch
  chatId: number
}

/** Returns a line for each: its label, and how many positions it has. */
async function watchAll(context: Context, { chosen, master, chatId }: Chosen): Promise<Text[]> {
  const found = await Promise.all(chosen.map(({ wallet }) => context.read.positions(wallet)))
  const named = context.view.named(context.person.id)
  const taken = named.map(({ label }) => label)
  const lines: Text[] = []
  for (const [at, one] of chosen.entries()) {
    const seen = found[at]
    if (!seen) continue
    const known = named.find(({ wallet }) => wallet === one.wallet)
    const label = known?.label ?? subLabel(master.label, one, taken)
    taken.push(label)
    await startWatching(context, { chatId, wallet: one.wallet, label, isNew: true, found: seen })
    const state =
      seen.is === 'unseen'
        ? words('watch.unseen', { why: seen.why })
        : words('shown.count', { n: seen.reading.value.positions.length })
    lines.push(words('shown.because', { what: label, why: state }))
  }
  return lines
}

function answer(
  context: Context,
  done: { master: Watch; lines: Text[]; count: number; rest: number; room: number },
): Message {
  const { master, lines, count, rest, room } = done
  const { kinds, view, person } = context
  const watches = view.watches(person.id)
  const isFull = rest > 0 && count >= room
  return message(
    [
      item('plain', words('subs.done', { n: count, wallet: master.label }), [
        ...lines,
        ...(isFull ? [words('watch.full', { wallets: watches.length })] : []),
        ...(rest > 0 && !isFull ? [words('shown.more', { n: String(rest) })] : []),
        alertsText(kinds, armedFor(context).settings),
      ]),
    ],
    {
      buttons: [
        ...(rest > 0 && !isFull ? [subsButton(master.wallet, watches)] : []),
        { label: words('watch.button.positions'), line: '/positions', replace: false },
        { label: words('watch.button.alerts'), line: '/alerts', replace: false },
      ],
    },
  )
}

/** Offers to watch the sub-accounts of a wallet. */
export function subsButton(master: Wallet, watches: readonly Watch[]): Button {
  const line = `/subs ${referenceAmong(master, watches)}`
  return { label: words('holdings.button.subs'), line, replace: false }
}
