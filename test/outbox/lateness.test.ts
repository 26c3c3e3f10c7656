import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import type { Address } from '../../src/address.ts'
import type { Delivery } from '../../src/delivery.ts'
import { plainLines } from '../../src/message.ts'
import type { Urgency } from '../../src/store.ts'
import { startOutbox, UNLIMITED } from '../support/outbox.ts'
import { aRow } from '../support/store.ts'

const CHATS = [1, 2, 3, 4]
/** One message a second and chat; nothing else is limited. */
const LIMITS = { ...UNLIMITED, chat: { burst: 1, perSecond: 1 } }
const STEP_MS = 1_000
/** The longest back-off, and how long a send that hangs is waited for. */
const LONGEST_WAIT_MS = 60_000
const SEND_LIMIT_MS = 20_000
/** From when on a message says that it is late. */
const LATE_MS = 60_000

type Kind = 'fails' | 'hangs' | 'asks to wait'
/** What is wrong with one chat, from one second to another. */
interface Trouble {
  kind: Kind
  from: number
  to: number
}

const trouble = fc.record({
  kind: fc.constantFrom<Kind>('fails', 'hangs', 'asks to wait'),
  from: fc.integer({ min: 0, max: 60 }),
  to: fc.integer({ min: 0, max: 150 }),
})
const something = fc.record({
  second: fc.integer({ min: 0, max: 120 }),
  chat: fc.constantFrom(...CHATS),
  urgency: fc.constantFrom<Urgency | 'answer'>(0, 0, 1, 2, 'answer'),
})

function ending({ kind }: Trouble): Delivery | Promise<Delivery> {
  if (kind === 'hangs') return new Promise(() => {})
  const retryAfterMs = kind === 'asks to wait' ? 3_000 : null
  return { is: 'delayed', retryAfterMs, scope: 'chat', maybeSent: false, why: kind }
}

test('no critical is later than the trouble of its own chat and the pace that is allowed there, and what is late says so', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.option(trouble), { minLength: CHATS.length, maxLength: CHATS.length }),
      fc.array(something, { minLength: 1, maxLength: 40 }),
      async (troubles, all) => {
        const troubleOf = (chat: string) => troubles[Number(chat.replace('chat-', '')) - 1] ?? null
        const arrived = new Map<number, { tick: number; text: string }>()
        const begun = { tick: 0 }
        const second = () => (bot.clock.tick() - begun.tick) / 1_000
        const wrong = (chat: string) => {
          const one = troubleOf(chat)
          return one && second() >= one.from && second() < one.to ? one : null
        }
        const bot = await startOutbox({
          chats: CHATS.length,
          platforms: { telegram: LIMITS },
          answer({ to, key, row, tick, at, chat, message }) {
            const now = wrong(chat)
            if (now) return ending(now)
            const text = plainLines(message, { now: at, zone: 'UTC' }).join('\n')
            arrived.set(row, { tick, text })
            return { is: 'sent', ref: { address: to, id: key } }
          },
        })
        begun.tick = bot.clock.tick()
        const rows: { id: number; chat: number; urgency: Urgency; tick: number }[] = []
        for (let now = 0; now <= 300; now++) {
          for (const { chat, urgency } of all.filter((one) => one.second === now)) {
            const to: Address = { platform: 'telegram', chat: `chat-${chat}`, thread: null }
            if (urgency === 'answer') {
              const attempt = async () => {
                const there = wrong(to.chat)
                return there ? ending(there) : ({ is: 'sent', ref: { address: to, id: 'answer' } } as const)
              }
              bot
                .dispatcher()
                .answer(to, attempt)
                .catch(() => {})
              continue
            }
            const id = rows.length + 1
            rows.push({ id, chat, urgency, tick: bot.clock.tick() })
            const [detectedAt, queuedAt] = [bot.clock.now(), bot.clock.now()]
            await bot.put(aRow({ id, chatId: chat, urgency, detectedAt, queuedAt, about: [`guard ${chat}`] }))
          }
          await bot.clock.advance(STEP_MS)
        }
        await bot.dispatcher().stop()
        const tooLate = rows.flatMap(({ id, chat, urgency, tick }) => {
          const own = troubles[chat - 1] ?? null
          const queue = all.filter((one) => one.chat === chat).length * 1_000 + 2_000
          const over = begun.tick + (own?.to ?? 0) * 1_000
          const patience = own && own.to > own.from ? LONGEST_WAIT_MS + SEND_LIMIT_MS : 0
          const latest = Math.max(tick, patience > 0 ? over : 0) + patience + queue
          const there = arrived.get(id)
          if (!there) return [`${id} never arrived`]
          const unsaid = there.tick - tick > LATE_MS + 1_000 && !/late|after it/i.test(there.text)
          return [
            ...(urgency === 0 && there.tick > latest ? [`${id} ${there.tick - latest} ms too late`] : []),
            ...(unsaid ? [`${id} does not say that it is late: ${there.text}`] : []),
          ]
        })
        expect(tooLate).toEqual([])
      },
    ),
    { numRuns: 25 },
  )
})
