import { describe, expect, test } from 'vitest'

import { createNtfy } from '../../adapters/ntfy/ntfy.ts'
import { ALICE, CLAIM_CODE, startBot } from '../support/bot.ts'
import type { BotUnderTest } from '../support/bot.ts'
import { handClock } from '../support/clock.ts'
import { startNtfy } from '../support/places/ntfy.ts'
import type { NtfyServer } from '../support/places/ntfy.ts'

const TOKEN = 'tk_abcdefghijklmnopqrstuvwxyz012'
const TOPIC = 'perch-x7Qm29'
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

interface World extends AsyncDisposable {
  bot: BotUnderTest
  ntfy: NtfyServer
  /** The price falls to where a BTC long is nearly liquidated: what the alert is called. */
  falls(): Promise<string>
  presses(label: string): Promise<{ status: number; says: string }>
  /** The address of the newest button of that label. */
  link(label: string): string
}

/** Ann is told in a chat and, at once, on her phone. */
async function ann(): Promise<World> {
  const clock = handClock()
  const ntfy = await startNtfy(clock, TOKEN)
  clock.restsWhen(() => ntfy.idle())
  const bot = await startBot({
    ...{ platforms: ['chat'], clock, settings: { access: 'open' } },
    opens: ({ linkTo }) => [
      createNtfy({ server: ntfy.origin, token: null, call: null, clock, reach: ntfy.reach, linkTo }),
    ],
  })
  bot.stage.market('BTC', { price: 130, funding: 0.0001 })
  bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
  await bot.pass(0)
  await bot.says(`/start ${CLAIM_CODE}`)
  await bot.says(`/watch ${ALICE} main`)
  await bot.says('/settings escalate now')
  await bot.says(`/settings ntfy ${TOPIC}`)
  await bot.pass(MINUTE_MS)
  bot.hears()
  return {
    ...{ bot, ntfy },
    async falls() {
      bot.stage.market('BTC', { price: 92, funding: 0.0001 })
      await bot.pass(5_000)
      return /\((A\d+)\)/.exec(bot.hears().join('\n'))?.[1] ?? ''
    },
    async presses(label) {
      const pressed = await ntfy.presses(TOPIC, label)
      await bot.pass(0)
      return pressed
    },
    link(label) {
      const all = ntfy.published(TOPIC).flatMap(({ actions }) => actions)
      return all.findLast((one) => one.label === label)?.url ?? ''
    },
    async [Symbol.asyncDispose]() {
      await bot[Symbol.asyncDispose]()
      await ntfy.close()
    },
  }
}

describe('a button on a phone', () => {
  test('acknowledges, and every place that was told hears of it', async () => {
    await using world = await ann()
    const alert = await world.falls()
    expect(world.ntfy.published(TOPIC).at(-1)).toMatchObject({
      priority: 5,
      actions: [{ label: `Ack ${alert}` }, { label: 'Snooze 30 min' }, { label: 'Snooze 2 h' }],
    })
    expect(await world.presses(`Ack ${alert}`)).toEqual({
      status: 200,
      says: expect.stringMatching(`${alert} acknowledged by somebody at ntfy`) as string,
    })
    expect(world.bot.platforms.get('chat')?.sees('me', 'me').at(-1)?.text).toContain(
      `${alert} acknowledged by somebody at ntfy`,
    )
    expect(world.ntfy.published(TOPIC).at(-1)).toMatchObject({
      priority: 2,
      title: expect.stringContaining(`acknowledged by somebody at ntfy (${alert})`) as string,
    })
    expect(await world.bot.says(`/why ${alert}`)).toContain('by somebody at ntfy')
    await world.bot.pass(60 * MINUTE_MS)
    expect(world.bot.hears()).toEqual([])
  })
})
