import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import type { Command } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { nextTime, parseTime } from '../../lib/time/daytime.ts'
import { item, type Message, message, say, type Text, text } from '../../message/message.ts'
import { type Delegation, HANDOVER_AT_MOST_MS } from '../../people/delegation.ts'
import { endedBefore } from '../shared/late-input.ts'
import { delegateCalled } from './people.ts'

const forms = [
  {
    name: '',
    aliases: [],
    summary: 'lets somebody who has agreed get what is critical for you as well, for a while',
    examples: ['/handover @bob until 08:00', '/handover @bob 8h', '/handover'],
    args: z.object({
      who: argument.text('who has agreed, and until when: @bob until 08:00').optional(),
      for: argument.duration().optional(),
    }),
  },
  {
    name: 'end',
    aliases: [],
    summary: 'takes it back',
    examples: ['/handover end', '/handover end @bob'],
    args: z.object({ who: argument.text('from whom').optional() }),
  },
]

/** Sends critical alerts to a delegate at once for a while, instead of only when they are not acknowledged. */
const handover: Command = {
  name: 'handover',
  aliases: [],
  summary: 'Hand over for a night',
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
  if (time === null && ms === undefined) return untilWhen(delegateId, delegateName)
  const minute = time === null ? null : parseTime(time)
  if (time !== null && minute === null)
    return say('That is no time of day. Say it like this: /handover @bob until 08:00, or /handover @bob 8h')
  const { writtenAt } = from
  const until = minute === null ? writtenAt + (ms ?? 0) : nextTime(minute, writtenAt, reader.zone)
  if (until - writtenAt > HANDOVER_AT_MOST_MS)
    return say('A handover goes for 7 days at most. For longer: /escalate, with now as the time.')
  const again = `/handover P${delegateId}${untyped(time, ms)}`
  const late = endedBefore(context, until, { label: 'From now on', line: again })
  if (late) return late
  const { refused } = await change({ is: 'handover', personId: person.id, delegateId, until })
  if (refused !== null) return say(refused)
  return message(
    [
      item(
        'plain',
        text`${delegateName} gets what is critical as well until ${{ time: until, as: 'clock' }}`,
        [
          'I have told them. It comes to you too: whoever acknowledges first is named to both.',
          'That is what your own chats are told of; what a group is told of stays there.',
          `Times are those of ${reader.zone}: /settings zone`,
        ],
      ),
    ],
    { buttons: [{ label: 'Take it back', line: `/handover end P${delegateId}`, replace: true }] },
  )
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

function untilWhen(delegateId: number, delegateName: string): Message {
  const ends = ['8h', '1d', 'until 08:00']
  return message([item('plain', `For how long does ${delegateName} get what is critical as well?`)], {
    buttons: ends.map((label) => ({ label, line: `/handover P${delegateId} ${label}`, replace: true })),
  })
}

async function end(context: Context, typed: string | undefined): Promise<Message> {
  const { person, view, change } = context
  const found = typed === undefined ? null : delegateCalled(context, typed, '/handover end')
  if (found && 'refused' in found) return found.refused
  const isOver = ({ handoverUntil }: Delegation) => handoverUntil === null
  const all = found ? [found.delegation] : view.delegates(person.id).filter((one) => !isOver(one))
  if (all.every(isOver)) return say('Nothing is handed over.')
  for (const { delegateId } of all)
    await change({ is: 'handover', personId: person.id, delegateId, until: null })
  const names = all.map(({ delegateName }) => delegateName).join(', ')
  return say(
    `${names}: taken back, and I have told them`,
    'What they were told of and still fires: they hear its end.',
  )
}

function list({ person, view }: Context): Message {
  const line = (name: string, { handoverUntil }: Delegation): Text[] =>
    handoverUntil === null ? [] : [text`${name}, until ${{ time: handoverUntil, as: 'clock' }}`]
  const given = view.delegates(person.id).flatMap((one) => line(`@${one.delegateName}`, one))
  const taken = view.helped(person.id).flatMap((one) => line(`@${one.name}`, one))
  if (given.length + taken.length === 0) {
    return say(
      'Nothing is handed over',
      view.delegates(person.id).length === 0
        ? 'Somebody has to agree first: /agree ask'
        : 'To hand over for a night: /handover @name until 08:00',
    )
  }
  return message(
    [
      ...(given.length > 0 ? [item('plain', 'They get what is critical for you', given)] : []),
      ...(taken.length > 0 ? [item('plain', 'You get what is critical for them', taken)] : []),
    ],
    { buttons: given.length > 0 ? [{ label: 'Take it back', line: '/handover end', replace: true }] : [] },
  )
}
