import { z } from 'zod'

import type { Declaration } from '../../chat/declaration.ts'
import { command, isAtTerminal } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { type Button, item, message, type Message, type Text, words } from '../../message/message.ts'
import { type Chat, NOT_SET_UP } from '../../people/chat.ts'
import { allButtons, firingLines } from '../shared/firing-lines.ts'
import { go } from '../shared/pages.ts'

const MAX_NAMED_WALLETS = 3
const MAX_SHOWN_ALERTS = 2

const PLACES = [
  go(words('home.button.positions'), '/positions'),
  go(words('home.button.alerts'), '/alerts'),
  go(words('home.button.alert'), '/alert'),
  go(words('home.button.wallets'), '/wallets'),
  go(words('home.button.settings'), '/settings'),
]
/** Without a wallet there is nothing to look at. */
const FIRST_PLACES = [
  go(words('home.button.watch'), '/watch ?'),
  go(words('home.button.alert'), '/alert'),
  go(words('home.button.markets'), '/markets'),
  go(words('home.button.settings'), '/settings'),
  go(words('home.button.help'), '/help'),
]
/** In a group only the places that its members can read. */
const GROUP_PLACES = [
  go(words('home.button.alerts'), '/alerts'),
  go(words('home.button.alert'), '/alert'),
  go(words('home.button.markets'), '/markets'),
  go(words('home.button.funding'), '/funding'),
  go(words('home.button.bind'), '/channel bind'),
  go(words('home.button.help'), '/help'),
]

/** Shows the home screen: every other screen leads back to it. */
export default command({
  name: 'menu',
  aliases: ['home'],
  summary: words('menu.menu'),
  examples: ['/menu'],
  who: 'guest',
  audience: 'place',
  args: z.object({}),
  run: (context) => homeOf(context),
})

/** The home of the chat: a person's own in private, else that of the group. */
export async function homeOf(context: Context): Promise<Message> {
  const { from, person, view } = context
  const group = groupHere(context)
  if (group !== null || !(from.private || from.whisper)) return groupHome(context, group)
  const watches = view.watches(person.id)
  const followed = view.follows(person.id).length
  if (watches.length === 0 && followed > 0)
    return screen(context, words('home.following', { n: followed }), await venueLines(context), PLACES)
  if (watches.length === 0)
    return screen(context, PROMISE, [...(await venueLines(context)), PASTE], FIRST_PLACES)
  const names = watches.slice(0, MAX_NAMED_WALLETS).map(({ label }) => label)
  const more = watches.length - names.length
  const named: Text =
    more > 0 ? words('home.names.more', { names: names.join(', '), n: more }) : names.join(', ')
  const firing = [...view.firing(person.id), ...view.helping(person.id)]
  const unseen = view.blind(person.id).own.length
  return screen(
    context,
    words('home.watching', { n: watches.length, names: named }),
    [
      ...(await venueLines(context)),
      ...(unseen > 0 ? [words('home.unseen')] : []),
      ...(firing.length === 0 ? [words('home.no-alerts')] : firingLines(context, firing, MAX_SHOWN_ALERTS)),
    ],
    [...allButtons(context), ...PLACES],
  )
}

/** Says the purpose of Perch, and its limit. */
export const PROMISE = words('home.promise')
export const PASTE = words('home.paste')

/** The buttons of somebody who has just come in. */
export function firstPlaces(context: Context): Pick<Message, 'buttons' | 'footnote'> {
  return places(context, FIRST_PLACES)
}

/** Whether the person can use this command here, and read its answer. */
export function worksHere({ name, who, audience }: Declaration, context: Context): boolean {
  const { commands, person, from, view } = context
  if (!commands.some((one) => one.name === name)) return false
  if ((who === 'operator' || who === 'local') && !person.operator) return false
  const here = view.chatAt(from.chat)
  const bound = here?.private === false ? here : null
  const trusted = from.mayConfigure || bound?.acksBy === 'anybody'
  if (person.id === 0 && who !== 'guest' && who !== 'stranger' && !(who === 'trusted' && trusted))
    return false
  if (from.private || from.whisper || audience === 'chat' || audience === 'place') return true
  return audience === 'bound' && bound !== null && from.mayConfigure
}

/** The bound chat whose alerts are set here; null where the person's own are. */
function groupHere({ from, view }: Context): Chat | null {
  const here = from.private ? null : view.chatAt(from.chat)
  return here && !here.private && (from.mayConfigure || !from.whisper) ? here : null
}

function groupHome(context: Context, group: Chat | null): Message {
  const { view } = context
  const bindable = ({ line }: Button) => (group === null) === line.startsWith('/channel')
  const open = GROUP_PLACES.filter((one) => ['/markets', '/help'].includes(one.line) || bindable(one))
  if (group === null) return screen(context, NOT_SET_UP, [], open)
  const firing = view.firingIn(group.id)
  const lines =
    firing.length === 0 ? [words('home.no-alerts')] : firingLines(context, firing, MAX_SHOWN_ALERTS)
  return screen(
    context,
    words('home.group', { group: group.title ?? words('home.this-group'), n: view.rulesIn(group.id).length }),
    lines,
    [...allButtons(context), ...open],
  )
}

async function venueLines({ read }: Context): Promise<Text[]> {
  const markets = await read.markets()
  return markets.is === 'unseen' ? [words('home.no-venue', { why: markets.why })] : []
}

function screen(context: Context, title: Text, lines: Text[], buttons: readonly Button[]): Message {
  return message([item('plain', title, lines)], places(context, buttons))
}

/** In a terminal nobody taps: there the places are one line. */
function places(context: Context, buttons: readonly Button[]): Pick<Message, 'buttons' | 'footnote'> {
  const open = buttons.filter(({ line }) => {
    const [name] = line.slice(1).split(' ')
    return context.commands.some((one) => one.name === name && worksHere(one, context))
  })
  const isTerminal = isAtTerminal(context.commands)
  return isTerminal
    ? { buttons: [], footnote: open.map(({ line }) => line.replace(/ \?$/, '')).join(' · ') }
    : { buttons: [...open], footnote: null }
}
