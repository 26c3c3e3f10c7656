import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import type { Command } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { age } from '../../message/figure.ts'
import {
  type Button,
  item,
  type Message,
  message,
  say,
  type Text,
  text,
  words,
} from '../../message/message.ts'
import { type Chat, reasonText } from '../../people/chat.ts'
import { called } from '../../people/delegation.ts'
import type { DeliveryStatus } from '../../people/drill.ts'
import { escalationTroubles } from '../../people/escalation.ts'
import { readIn } from '../alerts/acknowledging.ts'
import { startedBefore } from '../shared/late-input.ts'
import { shown } from './people.ts'

const forms = [
  {
    name: '',
    aliases: [],
    summary: words('menu.drill.play'),
    examples: ['/drill'],
    args: z.object({}),
  },
  {
    name: 'ack',
    aliases: [],
    summary: words('menu.drill.ack'),
    examples: ['/drill ack', '/drill ack @anna'],
    args: z.object({ whose: argument.text(words('drill.whose.asks')).optional() }),
  },
  {
    name: 'report',
    aliases: [],
    summary: words('menu.drill.report'),
    examples: ['/drill report'],
    args: z.object({}),
  },
]

/** A message that was sent so soon has no age worth reading. */
const AT_ONCE_MS = 1_000

/** Shows before the night whether an alert would wake anybody. */
const drill: Command = {
  name: 'drill',
  aliases: ['test'],
  summary: words('menu.drill'),
  who: 'person',
  audience: 'person',
  forms,
  async run(context, form, args) {
    const { person, change, playDrill } = context
    const { whose } = args as { whose?: string }
    if (whose !== undefined) return forAnother(context, whose)
    const late =
      form.name === '' ? startedBefore(context, { label: words('drill.button.now'), line: '/drill' }) : null
    if (late) return late
    const own = drillAcknowledged(context, person.id)
    const refused =
      form.name === 'ack' ? (await change(own)).refused : form.name === 'report' ? null : await playDrill()
    return refused === null ? report(context) : say(refused)
  },
}

export default drill

function drillAcknowledged(context: Context, personId: number) {
  const { person, from } = context
  return {
    is: 'drill-acknowledged',
    ...{ personId, byId: person.id, by: from.name, seenUntil: from.seenUntil, readIn: readIn(context) },
  } as const
}

/** The result is shown only to the person who ran the drill. */
async function forAnother(context: Context, typed: string): Promise<Message> {
  const { person, view, change } = context
  const helped = view.helped(person.id).map((one) => ({ ...one, id: one.personId }))
  const [one, ...more] = called(helped, typed)
  if (!one || more.length > 0) return say(words('drill.not-theirs', { name: shown(typed) }))
  const { refused } = await change(drillAcknowledged(context, one.personId))
  return say(refused ?? words('drill.thanks', { name: one.name }))
}

async function report({ person, view, recall }: Context): Promise<Message> {
  const drill = view.drill(person.id)
  if (!drill) return message([item('plain', words('drill.none'))], { buttons: [button('play', '/drill')] })
  const { at, rows, acknowledged } = drill
  const deliveryStatus = await recall.deliveryStatus(rows.map(({ rowId }) => rowId))
  const platformOf = (chatId: number) => view.chat(chatId)?.address.platform ?? words('drill.place.gone')
  const lines = rows.map(({ rowId, chatId, label }, place): Text => {
    const platform = platformOf(chatId)
    const name = label ?? (place === 0 ? platform : words('drill.place.backup', { platform }))
    const status = deliveryStatus.find((one) => one.rowId === rowId)
    const fate =
      status && status.chatId !== chatId
        ? words('drill.moved', { platform: platformOf(status.chatId) })
        : fateText(status, at, whyOf(view.chat(chatId)))
    return words('drill.place', { place: name, fate })
  })
  const title = acknowledged
    ? words('drill.acknowledged', { by: acknowledged.by, age: age(acknowledged.at - at) })
    : words('drill.waits')
  const started = { at: { time: at, as: 'clock' } } as const
  return message(
    [
      item('plain', title, [
        acknowledged ? words('drill.started', started) : words('drill.started.unanswered', started),
        ...lines,
        ...escalationTroubles(view.escalation(person.id)).map((one) => text`⚠ ${one}`),
      ]),
    ],
    { buttons: acknowledged ? [button('again', '/drill')] : [button('refresh', '/drill report')] },
  )
}

function button(what: 'play' | 'again' | 'refresh', line: string): Button {
  return { label: words(`drill.button.${what}`), line, replace: what === 'refresh' }
}

function whyOf(chat: Chat | null): Text | null {
  return chat?.brokenBecause == null ? null : reasonText(chat.brokenBecause)
}

function fateText(fate: DeliveryStatus | undefined, at: number, why: Text | null): Text {
  if (!fate) return words('drill.unknown')
  const { outcome, attempts: n } = fate
  switch (outcome) {
    case 'sent': {
      const ms = Math.max((fate.settledAt ?? at) - at, 0)
      if (n === 1 && ms < AT_ONCE_MS) return words('drill.sent.at-once')
      const after = age(ms)
      return n > 1
        ? words('drill.sent.again', { age: after, n: String(n) })
        : words('drill.sent', { age: after })
    }
    case 'waiting':
      if (why !== null) return words('drill.failing.why', { n, why })
      return n === 0 ? words('drill.waiting') : words('drill.failing', { n })
    case 'parked':
      return why === null ? words('drill.parked') : words('drill.parked.why', { why })
    case 'expired':
      return words('drill.expired')
    default:
      throw new Error(`no such outcome: ${String(outcome)}`)
  }
}
