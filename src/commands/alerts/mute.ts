import { z } from 'zod'

import type { Kind } from '../../alert/alert.ts'
import { argument } from '../../chat/argument.ts'
import { type Command, command } from '../../command/command.ts'
import { durationText } from '../../lib/text/duration.ts'
import { nextTime } from '../../lib/time/daytime.ts'
import { item, message, say, words } from '../../message/message.ts'
import { asking } from '../../message/question.ts'
import type { Muted } from '../../people/mute.ts'
import { endedBefore } from '../shared/late-input.ts'
import { whichVenue } from '../shared/venues/coin.ts'
import { mutedText, restful } from '../shared/suppression-lines.ts'

/** Longer is not a pause: the rule is not wanted. */
export const MAX_MUTE_MS = 7 * 86_400_000

/** Suppresses alerts below critical for a while, and sends a summary at the end. */
export function muteCommand(kinds: readonly Kind[]): Command {
  return command({
    name: 'mute',
    summary: words('menu.mute'),
    examples: ['/mute 8h', '/mute until 08:00', '/mute BTC 2h'],
    audience: 'bound',
    implied: new Set(['all', 'everything', 'it', 'them', 'alerts', 'for']),
    args: z.object({
      time: argument.duration(words('arg.mute.time')).optional(),
      until: argument.time().optional(),
      kind: argument
        .choice(
          kinds.map(({ name }) => name) as [string, ...string[]],
          words('mute.kind.asks'),
          namesOf(kinds),
        )
        .optional(),
      market: argument.market().optional(),
      wallet: argument.wallet(undefined, 'all').optional(),
    }),
    async run(context, { time: asked, until: end, kind, market, wallet }) {
      const { change, from, reader } = context
      const time =
        typeof end === 'number' ? nextTime(end, from.writtenAt, reader.zone) - from.writtenAt : asked
      const [of, ...more] = named(kind, market, wallet)
      if (more.length > 0) return say(words('mute.one'))
      const symbol = market === undefined ? undefined : context.view.symbol(market)
      const what = kind ?? symbol ?? wallet
      if (time === undefined) return howLong(what)
      if (time > MAX_MUTE_MS) return say(words('mute.limit'))
      const until = from.writtenAt + time
      const again = ['/mute', ...(what === undefined ? [] : [what]), durationText(time)].join(' ')
      const late = endedBefore(context, until, { label: words('ack.button.again'), line: again })
      if (late) return late
      const muted = of ?? { is: 'all' }
      await change({ is: 'mute', chatIds: restful(context), of: muted, until })
      const at = { time: until, as: 'clock' } as const
      const title =
        muted.is === 'all'
          ? words('mute.all', { at })
          : words('mute.some', { alerts: mutedText(context, muted), at })
      const where = market === undefined ? [] : whichVenue(context.view, market)
      // People who got an alert are owed its end, and an outage hides everything else.
      return message([item('plain', title, [...where, words('mute.through')])], {
        buttons: [{ label: words('mute.button.unmute'), line: '/unmute', replace: true }],
      })
    },
  })
}

/** The short names that `/alert` knows too. */
function namesOf(kinds: readonly Kind[]): ReadonlyMap<string, string> {
  return new Map(kinds.flatMap(({ name, aliases }) => aliases.map((alias) => [alias, name] as const)))
}

function named(kind?: string, market?: string, wallet?: `0x${string}`): Muted[] {
  return [
    ...(kind === undefined ? [] : [{ is: 'kind', kind } as const]),
    ...(market === undefined ? [] : [{ is: 'market', marketId: market } as const]),
    ...(wallet === undefined ? [] : [{ is: 'wallet', wallet } as const]),
  ]
}

function howLong(what: string | undefined) {
  const of = what === undefined ? '' : `${what} `
  const times = [
    ['1 h', '1h'],
    ['8 h', '8h'],
    [words('mute.button.day'), '1d'],
  ] as const
  return asking(
    words('mute.how-long'),
    { start: `/mute ${of}`.trimEnd(), prompt: words('ask.word.time'), placeholder: '12h' },
    times.map(([label, time]) => ({ label, line: `/mute ${of}${time}`, replace: true })),
    { lines: [words('mute.rings')] },
  )
}
