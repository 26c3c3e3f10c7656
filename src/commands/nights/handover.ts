import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import type { Command } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { nextTime, parseTime } from '../../lib/time/daytime.ts'
import { type Button, item, type Message, message, say, type Text, words } from '../../message/message.ts'
import { type Delegation, HANDOVER_AT_MOST_MS } from '../../people/delegation.ts'
import { endedBefore } from '../shared/late-input.ts'
import { askSomebody, delegateCalled } from './people.ts'

const forms = [
  {
    name: '',
    aliases: [],
    summary: words('menu.handover.to'),
    examples: ['/handover @bob until 08:00', '/handover @bob 8h', '/handover'],
    args: z.object({
      who: argument.text(words('handover.who.asks')).optional(),
      for: argument.duration(words('arg.handover.for')).optional(),
    }),
  },
  {
    name: 'end',
    aliases: [],
    summary: words('menu.handover.end'),
    examples: ['/handover end', '/handover end @bob'],
    args: z.object({ who: argument.text(words('handover.from.asks')).optional() }),
  },
]

/** Sends critical alerts to a delegate at once for a while, instead of only when they are not acknowledged. */
const handover: Command = {
  name: 'handover',
  aliases: [],
  summary: words('menu.handover'),
  who: 'person',
  audience: 'person',
  forms,
  run(context, form, args) {
    const { who, for: ms } = args as { who?: string; for?: number }
    if (form.name === 'end') return end(context, who)
    return who === undefined ? list(context) : begin(context, who, ms)
  },
}

export default handover

async function begin(context: Context, typed: string, ms: number | undefined): Promise<Message> {
  const { from, person, reader, change } = context
  const { name, time } = parted(typed)
  const found = delegateCalled(context, name, '/handover', untyped(time, ms))
  if ('refused' in found) return found.refused
  const { delegateId, delegateName } = found.delegation
  if (time === null && ms === undefined)
    return untilWhen(delegateId, words('handover.ask', { name: delegateName }))
  const minute = time === null ? null : parseTime(time)
  if (time !== null && minute === null) return untilWhen(delegateId, words('handover.unclear'))
  const { writtenAt } = from
  const until = minute === null ? writtenAt + (ms ?? 0) : nextTime(minute, writtenAt, reader.zone)
  if (until - writtenAt > HANDOVER_AT_MOST_MS)
    return message([item('plain', words('handover.too-long'))], { buttons: [whoGets] })
  const again = `/handover P${delegateId}${untyped(time, ms)}`
  const late = endedBefore(context, until, { label: words('handover.button.now'), line: again })
  if (late) return late
  const { refused } = await change({ is: 'handover', personId: person.id, delegateId, until })
  if (refused !== null) return say(refused)
  const done = { name: delegateName, until: { time: until, as: 'clock' } } as const
  return message(
    [item('plain', words('handover.set', done), [words('handover.both'), words('handover.groups')])],
    { buttons: [takeBack(` P${delegateId}`)] },
  )
}

const whoGets: Button = { label: words('escalate.button.list'), line: '/escalate', replace: false }

function takeBack(whom = ''): Button {
  return { label: words('handover.button.end'), line: `/handover end${whom}`, replace: true }
}

/** `@bob until 08:00`, `@bob 8:00`, in its parts. */
function parted(typed: string): { name: string; time: string | null } {
  const said = typed.trim()
  const match =
    /^(.*?)\s+(?:until|till|to)\s+(.+)$/i.exec(said) ?? /^(.*?)\s+(\d+(?:[:.]\d\d|\s?[ap]m))$/i.exec(said)
  return match ? { name: match[1] ?? '', time: match[2] ?? '' } : { name: typed, time: null }
}

function untyped(time: string | null, ms: number | undefined): string {
  if (time !== null) return ` until ${time}`
  return ms === undefined ? '' : ` ${Math.round(ms / 60_000)}m`
}

/** Asks for how long, with the usual spans to tap. */
function untilWhen(delegateId: number, asks: Text): Message {
  const ends = [
    { label: words('handover.button.hours'), typed: '8h' },
    { label: words('handover.button.day'), typed: '1d' },
    { label: words('handover.button.morning'), typed: 'until 08:00' },
  ]
  return message([item('plain', asks)], {
    buttons: ends.map(({ label, typed }) => ({
      ...{ label, line: `/handover P${delegateId} ${typed}` },
      replace: true,
    })),
  })
}

async function end(context: Context, typed: string | undefined): Promise<Message> {
  const { person, view, change } = context
  const found = typed === undefined ? null : delegateCalled(context, typed, '/handover end')
  if (found && 'refused' in found) return found.refused
  const isOver = ({ handoverUntil }: Delegation) => handoverUntil === null
  const all = found ? [found.delegation] : view.delegates(person.id).filter((one) => !isOver(one))
  if (all.every(isOver)) return say(words('handover.none'))
  for (const { delegateId } of all)
    await change({ is: 'handover', personId: person.id, delegateId, until: null })
  const names = all.map(({ delegateName }) => delegateName).join(', ')
  return say(words('handover.ended', { names }), words('handover.ended.rest'))
}

/** The persons to whom a handover is offered. */
const OFFERED = 6

function list({ person, view }: Context): Message {
  const line = (name: string, { handoverUntil }: Delegation): Text[] =>
    handoverUntil === null
      ? []
      : [words('handover.until', { name, until: { time: handoverUntil, as: 'clock' } })]
  const delegates = view.delegates(person.id)
  const given = delegates.flatMap((one) => line(`@${one.delegateName}`, one))
  const taken = view.helped(person.id).flatMap((one) => line(`@${one.name}`, one))
  if (given.length + taken.length === 0) return nothingYet(delegates)
  return message(
    [
      ...(given.length > 0 ? [item('plain', words('handover.given'), given)] : []),
      ...(taken.length > 0 ? [item('plain', words('handover.taken'), taken)] : []),
    ],
    { buttons: given.length > 0 ? [takeBack()] : [] },
  )
}

function nothingYet(delegates: readonly Delegation[]): Message {
  if (delegates.length === 0)
    return message([item('plain', words('handover.none'), [words('backup.none')])], {
      buttons: [askSomebody],
    })
  const buttons = delegates.slice(0, OFFERED).map(({ delegateId, delegateName }) => ({
    ...{ label: `@${delegateName}`, line: `/handover P${delegateId}` },
    replace: true,
  }))
  return message([item('plain', words('handover.none.ask'))], { buttons })
}
