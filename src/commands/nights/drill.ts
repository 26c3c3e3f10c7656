import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import type { Command } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { age } from '../../message/figure.ts'
import { item, type Message, message, say, type Text, text } from '../../message/message.ts'
import { called } from '../../people/delegation.ts'
import type { DeliveryStatus } from '../../people/drill.ts'
import { escalationTroubles } from '../../people/escalation.ts'
import { readIn } from '../alerts/acknowledging.ts'
import { startedBefore } from '../shared/late-input.ts'

const forms = [
  {
    name: '',
    aliases: [],
    summary: 'plays a critical alert to you, marked as a drill, wherever you would hear of one',
    examples: ['/drill'],
    args: z.object({}),
  },
  {
    name: 'ack',
    aliases: [],
    summary: 'says that the drill has reached you',
    examples: ['/drill ack', '/drill ack @anna'],
    args: z.object({ whose: argument.text('whose drill, where it is not your own').optional() }),
  },
  {
    name: 'report',
    aliases: [],
    summary: 'shows what arrived of your last drill, and when you acknowledged it',
    examples: ['/drill report'],
    args: z.object({}),
  },
]

/** Shows before the night whether an alert would wake anybody. */
const drill: Command = {
  name: 'drill',
  aliases: ['test'],
  summary: 'Test alert',
  who: 'person',
  audience: 'person',
  forms,
  async run(context, form, args) {
    const { person, change, playDrill } = context
    const { whose } = args as { whose?: string }
    if (whose !== undefined) return forAnother(context, whose)
    const late = form.name === '' ? startedBefore(context, { label: 'Play it now', line: '/drill' }) : null
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
  if (!one || more.length > 0) return say(`You stand in for nobody called ${typed}. See /agree.`)
  const { refused } = await change(drillAcknowledged(context, one.personId))
  return say(refused ?? `Thank you. ${one.name} reads that the drill has reached you`)
}

async function report({ person, view, recall }: Context): Promise<Message> {
  const drill = view.drill(person.id)
  if (!drill) return say('There was no drill. /drill plays one.')
  const { at, rows, acknowledged } = drill
  const deliveryStatus = await recall.deliveryStatus(rows.map(({ rowId }) => rowId))
  const lines = rows.map(({ rowId, chatId, label }, place): Text => {
    const platform = view.chat(chatId)?.address.platform ?? 'a chat that is gone'
    const fate = deliveryStatus.find((one) => one.rowId === rowId)
    const name = label ?? `${platform}${place === 0 ? '' : ' (fallback)'}`
    if (fate && fate.chatId !== chatId) {
      const there = view.chat(fate.chatId)?.address.platform ?? 'another chat'
      return `${name}: NOT SENT there, it went to ${there} instead`
    }
    return text`${name}: ${fateText(fate, at, view.chat(chatId)?.brokenBecause ?? null)}`
  })
  const title: Text = acknowledged
    ? text`Drill acknowledged by ${acknowledged.by} after ${age(acknowledged.at - at)}`
    : 'Drill: acknowledge it where it rings'
  const played: Text = ['played ', { time: at, as: 'clock' }]
  return message(
    [
      item('plain', title, [
        played,
        ...lines,
        ...(acknowledged ? [] : ['nobody has acknowledged it yet']),
        ...escalationTroubles(view.escalation(person.id)),
      ]),
    ],
    {
      buttons: acknowledged
        ? [{ label: 'Again', line: '/drill', replace: false }]
        : [{ label: 'Refresh', line: '/drill report', replace: true }],
    },
  )
}

function fateText(fate: DeliveryStatus | undefined, at: number, brokenBecause: string | null): Text {
  const broken = brokenBecause === null ? '' : `: ${brokenBecause}`
  if (!fate) return 'too long ago to know'
  const { outcome, attempts } = fate
  switch (outcome) {
    case 'sent':
      return text`sent after ${age(Math.max((fate.settledAt ?? at) - at, 0))}${attempts > 1 ? `, ${attempts} attempts` : ''}`
    case 'waiting':
      return attempts === 0 && broken === ''
        ? 'not sent yet'
        : `NOT SENT, ${attempts} attempts so far${broken}`
    case 'parked':
      return `COULD NOT BE SENT${broken}`
    case 'expired':
      return 'NOT SENT within 10 min, and given up'
    default:
      throw new Error(`no such outcome: ${String(outcome)}`)
  }
}
