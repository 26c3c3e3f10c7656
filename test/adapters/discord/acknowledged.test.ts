import { describe, expect, test } from 'vitest'

import { ALICE, CLAIM_CODE } from '../../support/bot.ts'
import { startDiscordBot } from '../../support/discord/bot.ts'
import { buttonsOf, textOf } from '../../support/discord/readable.ts'
import { eventually } from '../../support/patience.ts'
import { startLiving } from './living.ts'

const DAY_MS = 24 * 3_600_000

/** Olga's BTC long is told in a channel that she bound, where Fred reads as well. */
async function alarmed(extras: Parameters<typeof startDiscordBot>[0] = () => ({})) {
  const bot = await startDiscordBot(extras)
  const guild = bot.discord.guild('Traders')
  const alerts = guild.channel('alerts')
  const olga = guild.member('olga', { manageServer: true })
  const fred = guild.member('fred')
  bot.stage.market('BTC', { price: 130 })
  bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
  await bot.online()
  await bot.says(olga, `/start code:${CLAIM_CODE}`, olga.dm)
  await bot.says(olga, '/channel bind', alerts)
  await bot.says(olga, '/channel acks by:anybody', alerts)
  await bot.says(olga, `/watch address:${ALICE} label:main`, olga.dm)
  await bot.says(olga, '/alert liquidation-distance wallet:main tiers:5%', alerts)
  await bot.pass(4_000)
  bot.stage.market('BTC', { price: 94 })
  const message = await bot.until(() => alerts.shows('BTC long: 4.3%'), 'the alert is told')
  const id = /\/ack (A\d+)/.exec(JSON.stringify(buttonsOf(message)))?.[1] ?? ''
  const trouble = () => bot.events.flatMap((event) => (event.is === 'trouble' ? [event.why] : []))
  return Object.assign(bot, { alerts, olga, fred, message, id, trouble })
}

/** The message of the alert that fires again. */
const isNext = (one: Parameters<typeof textOf>[0], message: typeof one) =>
  one.id > message.id && textOf(one).includes('BTC long: 4.3%')

describe('the button of an alert', () => {
  test('gives way to who acknowledged it also when that was said in words, elsewhere', async () => {
    await using bot = await alarmed()
    const { olga, alerts, message, id } = bot
    expect(textOf(message)).not.toContain('✓')
    await bot.says(olga, `/ack alert:${id}`, olga.dm)
    await bot.until(() => textOf(message).includes(`✓ olga, `), 'the message says so')
    expect(() => olga.taps('Ack', alerts)).toThrow('button')
    expect(bot.trouble()).toEqual([])
  })

  test('works on a message of yesterday', async () => {
    await using bot = await alarmed()
    const { fred, alerts, message } = bot
    bot.clock.jump(DAY_MS)
    await bot.pass(4_000)
    await bot.answered(fred.taps('Ack', alerts))
    await bot.pass(4_000)
    expect(textOf(message)).toContain(`✓ fred, `)
    expect(bot.trouble()).toEqual([])
  })

  test('that two press at once answers both: one has acknowledged it, and nobody sees an error', async () => {
    await using bot = await alarmed()
    const { olga, fred, alerts, message } = bot
    const taps = [olga, fred].map((person) => person.taps('Ack', alerts))
    for (const asked of taps) expect(await bot.answered(asked)).toContain(`✓ olga, `)
    await bot.pass(4_000)
    expect(taps.map((asked) => asked.failure())).toEqual([null, null])
    expect(textOf(message)).toContain(`✓ olga, `)
    expect(textOf(message)).not.toContain('fred')
    expect(bot.trouble()).toEqual([])
  })

  test('that the same person presses twice, or late on a phone that has not heard of it, is done once', async () => {
    await using bot = await alarmed()
    const { olga, fred, alerts, message } = bot
    const shown = { message, buttons: buttonsOf(message) }
    const taps = [0, 1].map(() => olga.taps('Ack', alerts, shown))
    for (const asked of taps) await bot.answered(asked)
    taps.push(fred.taps('Ack', alerts, shown))
    await bot.pass(10_000)
    expect(taps.map((asked) => asked.failure())).toEqual([null, null, null])
    expect(textOf(message)).toContain(`✓ olga, `)
    expect(bot.trouble()).toEqual([])
  })

  test('of an alert that is over goes with it; one that is left says so, and what fires again', async () => {
    await using bot = await alarmed()
    const { olga, alerts, message } = bot
    const shown = { message, buttons: buttonsOf(message) }
    bot.stage.market('BTC', { price: 130 })
    await bot.until(() => textOf(message).includes(`✓ Over since `), 'the message says so')
    expect(buttonsOf(message).map(({ label }) => label)).toEqual(['Why'])
    bot.stage.market('BTC', { price: 94 })
    const next = await bot.until(
      () => alerts.messages().find((one) => isNext(one, message)),
      'it fires again',
    )
    expect(await bot.answered(olga.taps('Ack', alerts, shown))).toContain('It is active again, as A')
    expect(textOf(next)).not.toContain('✓')
    const [{ label } = { label: '' }] = buttonsOf(message)
    await bot.answered(olga.taps(label, alerts, { message, buttons: buttonsOf(message) }))
    await bot.until(() => textOf(next).includes('✓ olga, '), 'the new one says so')
    expect(bot.trouble()).toEqual([])
  })

  test('is answered within three seconds also while nothing can be written, and done when it can', async () => {
    let disk = Promise.resolve()
    await using bot = await alarmed(() => ({ disk: () => disk }))
    const { olga, alerts, message } = bot
    let mended = () => {}
    disk = new Promise((resolve) => (mended = resolve))
    const asked = olga.taps('Ack', alerts)
    expect(await asked.acked()).toBeLessThan(3_000)
    expect(asked.failure()).toBeNull()
    mended()
    await bot.answered(asked)
    expect(textOf(message)).toContain(`✓ olga, `)
  })

  test('of a message whose fate is unknown: it is acknowledged there, and comes only once', async () => {
    await using bot = await alarmed()
    const { olga, alerts, discord } = bot
    bot.stage.market('BTC', { price: 130 })
    await bot.until(() => alerts.shows('is safe again'), 'it is over')
    discord.fault({ route: `POST /channels/${alerts.id}/messages`, kind: 'deliver-then-reset', times: 4 })
    bot.stage.market('BTC', { price: 94 })
    const all = () => alerts.messages().filter((one) => isNext(one, bot.message))
    const [again] = await bot.until(() => all().length > 0 && all(), 'it fires again')
    await bot.says(olga, '/ack', olga.dm)
    await bot.pass(60_000)
    expect(all()).toEqual([again])
    expect(textOf(again ?? bot.message)).toContain('✓ olga, ')
  })

  test('works after a restart, also for somebody who pressed it while nobody was there', async () => {
    await using living = await startLiving((stage) => {
      stage.market('BTC', { price: 130 })
      stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
    })
    const olga = living.discord.guild('Traders').member('olga')
    await olga.runs(`/start code:${await living.code()}`, {}, olga.dm).answer()
    await olga.runs(`/watch address:${ALICE} label:main`, {}, olga.dm).answer()
    living.stage.market('BTC', { price: 94 })
    const message = await olga.dm.gets('BTC long: 4.3%')
    await living.program().kill('SIGKILL')
    const { gateway, ledger } = living.discord
    await ledger.until(() => gateway.connected() === 0, 'the bot is gone')
    const lost = olga.taps('Ack', olga.dm)
    await living.restart()
    // Discord says that the application did not respond, and the button is still there.
    await eventually(() => lost.failure() !== null)
    expect(textOf(await olga.taps('Ack', olga.dm).answer())).toContain(`✓ olga, `)
    expect(textOf(message)).toContain(`✓ olga, `)
  })
})
