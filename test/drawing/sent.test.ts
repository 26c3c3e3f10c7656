import { afterEach, expect, test } from 'vitest'

import { createDrawing } from '../../src/drawing/drawing.ts'
import type { Event } from '../../src/runtime/event.ts'
import { handClock } from '../support/clock.ts'
import { eventually, PATIENCE_MS } from '../support/patience.ts'
import { startTelegramBot } from '../support/telegram/bot.ts'
import { annWatches } from '../support/telegram/watched.ts'

const events: Event[] = []
// Its clock stands still: a busy machine may take longer than a picture has.
const drawing = createDrawing({ clock: handClock(), emit: (event) => events.push(event) })
afterEach(() => drawing.stop())

test('a real picture of a critical alert reaches Telegram', { timeout: PATIENCE_MS }, async () => {
  const drawn: (Uint8Array | null)[] = []
  await using bot = await startTelegramBot({
    async draw(order, isUrgent) {
      expect(isUrgent).toBe(true)
      const png = await drawing.draw(order, isUrgent)
      drawn.push(png)
      return png
    },
  })
  const { stage, telegram } = bot
  await annWatches(bot)
  stage.market('BTC', { price: 94.5 })
  await bot.pass(4_000)
  const photos = () => telegram.ledger.sends.filter(({ method }) => method === 'sendPhoto')
  await eventually(() => photos().length > 0 || events.length > 0)
  expect(events).toEqual([])
  expect(photos()).toHaveLength(1)
  const [png] = drawn
  expect(Buffer.from(png ?? []).readUInt32BE(16)).toBe(1080)
})
