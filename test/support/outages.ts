import { copied } from '../../src/engine/changes/undelivered.ts'
import { createMemory } from '../../src/engine/memory/apply.ts'
import { numbersAfter } from '../../src/engine/memory/run.ts'
import { isWrite } from '../../src/engine/memory/effect.ts'
import type { Delivery, Priority } from '../../src/message/delivery.ts'
import { plainLines } from '../../src/message/message.ts'
import type { Change } from '../../src/store/change.ts'
import type { Write } from '../../src/store/store.ts'
import { aChat, aPerson } from './fixtures.ts'
import { type Death, LAST_SECOND, LIMITS, PLACES, type Plan, type Span, type Trouble } from './outage-plan.ts'
import { type OutboxUnderTest, startOutbox } from './outbox.ts'
import { createDice } from './seed.ts'
import { aRow } from './store.ts'

const WORLD: Write[] = [
  ...[1, 2, 3].map((id): Write => {
    const identities = [{ platform: 'telegram', user: `person-${id}` }]
    return { is: 'person', person: aPerson({ id, identities, defaultChat: id, fallbackChat: id + 3 }) }
  }),
  ...PLACES.map(({ chat: id, platform, person: personId, group }): Write => {
    const address = { platform, chat: `chat-${id}`, thread: null }
    const chat = aChat({ id, address, personId, private: !group, title: group ? 'the desk' : null })
    return { is: 'chat', chat }
  }),
]

/** A message that was put into the outbox: by the test, or as the copy of one that its chat did not take. */
export interface Put {
  id: number
  alert: number
  chat: number
  monitor: string
  urgency: Priority
  /** When it was put there, and when what it says was seen. */
  ms: number
  seenMs: number
  copy: boolean
}
/** A message that reached its chat. */
export interface Arrival {
  id: number
  chat: number
  ms: number
  text: string
  possibleRepeat: boolean
}
export interface History {
  puts: Put[]
  arrivals: Arrival[]
  /** Whatever was tried, answers too. */
  attempts: { chat: number; ms: number }[]
  /** When a row was handed on, and when one was given up and that was told: by `chat alert`. */
  handedOver: Map<number, number>
  givenUp: Map<string, number>
  downs: Span[]
}

/** Lives through a plan, and a long quiet time after it. */
export async function live(plan: Plan): Promise<History> {
  const history: History = {
    ...{ puts: [], arrivals: [], attempts: [], handedOver: new Map(), givenUp: new Map(), downs: [] },
  }
  const { puts, arrivals, attempts, handedOver, givenUp, downs } = history
  let armed: Death | null = null
  let down = null as Span | null
  let begunMono = 0
  const now = () => bot.clock.monotonic() - begunMono

  const active = (trouble: Trouble | null | undefined) =>
    trouble && trouble.from <= now() && now() < trouble.to ? trouble : null
  const fateIn = (chat: number, plain: boolean) => {
    const place = PLACES.find((one) => one.chat === chat)
    const trouble = active(place && plan[place.platform]) ?? active(plan.chats[chat - 1])
    return trouble?.answer(trouble.to - now(), plain) ?? null
  }
  const die = ({ seconds }: Death) => {
    armed = null
    down = { from: now(), to: now() + seconds * 1_000 }
    downs.push(down)
    bot.die()
  }
  const dieAt = (when: Death['when']) => {
    if (armed?.when !== when) return false
    die(armed)
    return true
  }

  const bot: OutboxUnderTest = await startOutbox({
    chats: 0,
    writes: WORLD,
    platforms: LIMITS,
    random: createDice(plan.seed).next,
    async answer({ to, key, row: id, at, message, plain, possibleRepeat }) {
      const chat = numberOf(to.chat)
      attempts.push({ chat, ms: now() })
      const sent: Delivery = { is: 'sent', ref: { address: to, id: key } }
      if (dieAt('send begun')) return sent
      const { taken, delivery } = fateIn(chat, plain) ?? { taken: true, delivery: Promise.resolve(sent) }
      const text = plainLines(message, { now: at, zone: 'UTC' }).join('\n')
      if (taken) arrivals.push({ id, chat, ms: now(), text, possibleRepeat })
      if (taken) dieAt('send taken')
      return delivery
    },
    around: (outbox) => ({
      async round(turn) {
        const taken = await outbox.round(turn)
        if (taken.length > 0) dieAt('row taken')
        return taken
      },
    }),
    change(change) {
      if (change.is === 'undelivered') return handOn(change)
      if (change.is === 'undeliverable') givenUp.set(`${change.chatId} ${change.alertIds.join()}`, now())
      return null
    },
  })
  begunMono = bot.clock.monotonic()

  /** As the engine does it, but for the trail: there are no alerts here. */
  async function handOn(change: Extract<Change, { is: 'undelivered' }>): Promise<void> {
    const memory = createMemory(await bot.store().memory.load())
    const { effects } = copied(memory, numbersAfter(memory), change, bot.clock.now())
    const writes = effects.filter(isWrite).filter(({ is }) => is !== 'step')
    await bot.commit(...writes)
    for (const { rowId } of change.rows) handedOver.set(rowId, now())
    for (const write of writes) {
      if (write.is !== 'send') continue
      const { id, chatId: chat, about, urgency, queuedAt, alertIds } = write.row
      const seenMs = now() - (bot.clock.now() - queuedAt)
      const from = { alert: alertIds[0] ?? 0, monitor: about.join(), seenMs, copy: true }
      puts.push({ id, chat, urgency, ms: now(), ...from })
    }
  }

  async function find({ chat, monitor, urgency }: Plan['found'][number]): Promise<void> {
    if (urgency === 'answer') return ask(chat)
    // Copies have numbers of the same row.
    const id = Math.max(0, ...puts.map((put) => put.id)) + 1
    const [ms, queuedAt, about] = [now(), bot.clock.now(), [`${monitor} of ${chat}`]]
    puts.push({ id, alert: id, chat, monitor: about.join(), urgency, ms, seenMs: ms, copy: false })
    await bot.put(aRow({ id, chatId: chat, urgency, alertIds: [id], about, detectedAt: queuedAt, queuedAt }))
  }

  function ask(chat: number): void {
    const address = bot.chats.get(chat)?.address
    if (!address) return
    const attempt = async (): Promise<Delivery> => {
      attempts.push({ chat, ms: now() })
      const fate = fateIn(chat, false)
      return fate ? fate.delivery : { is: 'sent', ref: { address, id: 'answer' } }
    }
    bot
      .dispatcher()
      .answer(address, attempt)
      .catch(() => {})
  }

  const waiting: Plan['found'] = []
  for (let second = 0; second <= LAST_SECOND; second++) {
    if (down && down.to <= now()) await comeBack()
    waiting.push(...plan.found.filter((one) => one.second === second))
    // What nobody was there to see is seen after the start.
    while (!down && waiting.length > 0) for (const one of waiting.splice(0, 1)) await find(one)
    const death = plan.deaths.find((one) => one.second === second)
    if (death && !down) armed = death
    if (!down) dieAt('at rest')
    for (const [index, trouble] of plan.chats.entries())
      if (trouble?.name === 'gone, heard' && trouble.to === now()) bot.dispatcher().tryAgain(index + 1)
    await bot.clock.advance(1_000)
  }
  armed = null
  if (down) await comeBack()
  await bot.clock.advance(2 * 60 * 60_000)
  await bot.dispatcher().stop()
  return history

  async function comeBack(): Promise<void> {
    if (down) down.to = now()
    down = null
    await bot.revive()
  }
}

function numberOf(chat: string): number {
  return Number(chat.replace('chat-', ''))
}
