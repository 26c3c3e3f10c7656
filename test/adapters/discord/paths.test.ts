import { expect, test } from 'vitest'

import { createNtfy } from '../../../adapters/ntfy/ntfy.ts'
import { ALICE } from '../../support/bot.ts'
import { startDiscordBot } from '../../support/discord/bot.ts'
import { textOf } from '../../support/discord/readable.ts'
import { startNtfy } from '../../support/places/ntfy.ts'
import { handClock } from '../../support/clock.ts'
import { PATHS_HEAD, pathsTo, TOPIC, walk } from '../paths.ts'
import { comparePart } from './page.ts'

const TOKEN = 'tk_abcdefghijklmnopqrstuvwxyz012'

test('what newcomers want first is a few taps away from /start', async () => {
  const clock = handClock()
  const ntfy = await startNtfy(clock, TOKEN)
  try {
    const place = createNtfy({
      server: ntfy.origin,
      ...{ token: TOKEN, call: null, clock, egress: ntfy.egress, linkFor: null, isOperators: () => true },
    })
    await using bot = await startDiscordBot(() => ({ access: 'open', others: [place] }), { clock })
    const { discord, stage } = bot
    stage.market('BTC', { price: 113_507, volume: 5_000_000 })
    stage.market('ETH', { price: 2_459, volume: 3_000_000 })
    stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 110_000, liquidation: 90_000 }])
    await bot.online()
    await bot.pass(4_000)
    const guild = discord.guild('Home')
    guild.channel('lobby')
    const rows: string[] = []
    for (const [at, path] of pathsTo(ALICE).entries()) {
      // Everybody is a newcomer on each path.
      const ann = guild.member(`ann${at}`)
      const read = async () => {
        await bot.pass(3_000)
        return ann.dm.messages().map(textOf).join('\n')
      }
      rows.push(
        await walk(
          {
            async start() {
              ann.runs('/start', {}, ann.dm)
              return read()
            },
            async taps(label) {
              ann.taps(label, ann.dm)
              return read()
            },
            async types(words) {
              ann.submits(words)
              return read()
            },
          },
          path,
        ),
      )
    }
    expect(ntfy.published(TOPIC).some(({ title }) => title.includes('DRILL'))).toBe(true)
    await comparePart('first taps', `\n${[PATHS_HEAD, ...rows].join('\n')}\n\n`)
  } finally {
    await ntfy.close()
  }
})
