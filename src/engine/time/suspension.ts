import { age } from '../../message/figure.ts'
import { item, text } from '../../message/message.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Emit } from '../../runtime/event.ts'
import { MARKETS } from '../../venue/source.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import { type Decision, silent } from '../monitors/decision.ts'
import type { Outcome } from '../monitors/turn.ts'
import { affectedChats } from '../outage/audience.ts'
import { AWAY_MS, JUMP_MS } from './upkeep.ts'

/** What wakes so late was not held up by other work: nothing in this process ran. */
const STILL_MS = 10_000

interface Suspension {
  since: number
  until: number
  /** When prices were last seen before it. */
  pricesAt: number | null
  isTold: boolean
}

/** Whether this process was stopped: by a signal, a frozen container, a machine that slept. The venue is not to blame for that. */
interface Stops {
  /** Looks, with when (monotonic) something was to happen next. */
  look(dueMono: number | null): void
  /** What there is to say and to keep of it, until that has been kept. To be asked when memory goes by the wall clock of now. */
  untold(): { turn: Outcome; kept(): void } | null
}

export function createStops(world: {
  drawers: Pick<Memory, 'people' | 'rules' | 'wallets' | 'markets' | 'run'>
  clock: Clock
  emit: Emit
  /** Changes memory. */
  apply(effects: readonly Effect[]): void
  readAll(): void
}): Stops {
  const { drawers, clock, emit, apply } = world
  const stops: Suspension[] = []
  let [ranMono, ranAt, asleepMs] = [clock.monotonic(), clock.now(), clock.asleepMs()]

  /** A wall clock that was set has jumped as well: the system knows better. */
  function sleptMs(passedMs: number): number {
    // Also what is too short to be told: it must not count as sleep when the clock is set one day.
    if (Math.abs(passedMs) < JUMP_MS) return 0
    const before = asleepMs
    asleepMs = clock.asleepMs()
    return Math.max(Math.min(asleepMs - before, passedMs), 0)
  }

  return {
    look(dueMono) {
      const [mono, now, sinceMono] = [clock.monotonic(), clock.now(), ranMono]
      const passedMs = now - ranAt - (mono - sinceMono)
      ;[ranMono, ranAt] = [mono, now]
      const stillMs = dueMono === null ? 0 : mono - Math.max(dueMono, sinceMono)
      const slept = sleptMs(passedMs)
      if (stillMs < STILL_MS && slept < AWAY_MS) return
      const ms = mono - sinceMono + slept
      // By the wall clock of now, which may have been set meanwhile.
      const at = (atMono: number) => Math.round(now - slept - (mono - atMono))
      const since = at(sinceMono)
      const seconds = Math.round(ms / 1_000)
      emit({
        is: 'remark',
        where: 'loop',
        text: `nothing ran for ${seconds} s: this process was stopped or held up`,
      })
      if (stillMs >= STILL_MS) apply([{ is: 'stood-still', sinceMono, ms: mono - sinceMono }])
      // No hole between prices shows by a clock that has slept as well.
      if (slept >= AWAY_MS) apply([{ is: 'slept', since, until: now }])
      // Who was away for less is not spoken of after a start either.
      if (ms < AWAY_MS) return
      const pricesAt = drawers.markets.marketsAt && at(drawers.markets.marketsAt.mono)
      stops.push({ since, until: now, pricesAt, isTold: false })
      // Others may have asked for something since it goes on, before this was found out.
      apply([{ is: 'suspended', ranMono: stillMs >= STILL_MS ? mono - stillMs : sinceMono }])
      world.readAll()
    },
    untold() {
      const [stop] = stops
      if (!stop) return null
      if (!stop.isTold) {
        const { since, until, pricesAt } = stop
        apply([{ is: 'run-resumed', since, until, pricesAt }])
      }
      stop.isTold = true
      const kept = () => {
        stops.shift()
        apply([{ is: 'suspension-kept' }])
      }
      return { turn: tell(drawers, stop), kept }
    },
  }
}

/** Once in each chat: one that cannot be kept, and is told later, is told alone. */
function tell(
  drawers: Pick<Memory, 'people' | 'rules' | 'wallets' | 'run'>,
  { since, until }: Suspension,
): Outcome {
  const {
    run: { suspensionTold },
  } = drawers
  const words = item('warning', text`I was stopped for ${age(until - since)} and saw nothing`, [
    ['from ', { time: since, as: 'clock' }, ' to ', { time: until, as: 'clock' }, ': my process did not run'],
    'I look again now. What happened meanwhile is told late.',
  ])
  const decide = (chatId: number): Decision[] => {
    if (suspensionTold.has(chatId)) return []
    const said = { severity: 'warning', order: until, about: MARKETS, quiet: true, alertIds: [] } as const
    const here = silent(chatId, [{ is: 'suspension-told', chatId }])
    return [{ ...here, notices: [{ ...said, alertIds: [], item: words, reason: 'notice' }] }]
  }
  const gap: Effect = { is: 'gap', gap: { chatId: null, source: null, since, until } }
  return {
    observed: suspensionTold.has(null) ? [] : [gap, { is: 'suspension-told', chatId: null }],
    decisions: [],
    reports: { chats: affectedChats(drawers, MARKETS), decide },
  }
}
