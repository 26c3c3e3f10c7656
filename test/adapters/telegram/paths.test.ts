import { expect, test } from 'vitest'

import { createNtfy, destination } from '../../../adapters/ntfy/ntfy.ts'
import { inWords } from '../../../src/message/message.ts'
import { ALICE } from '../../support/bot.ts'
import { handClock } from '../../support/clock.ts'
import { startNtfy } from '../../support/places/ntfy.ts'
import { startTelegramBot } from '../../support/telegram/bot.ts'
import { PATHS_HEAD, pathsTo, TOPIC, walk } from '../paths.ts'
import { documented } from './documented.ts'

const TOKEN = 'tk_abcdefghijklmnopqrstuvwxyz012'

test('what newcomers want first is a few taps away from /start', async () => {
  const clock = handClock()
  const ntfy = await startNtfy(clock, TOKEN)
  try {
    await using bot = await startTelegramBot({
      access: 'open',
      clock,
      others: () => [
        createNtfy({
          server: ntfy.origin,
          ...{ token: TOKEN, call: null, clock, egress: ntfy.egress, linkFor: null, isOperators: () => true },
        }),
      ],
    })
    const { telegram, stage } = bot
    stage.market('BTC', { price: 113_507, volume: 5_000_000 })
    stage.market('ETH', { price: 2_459, volume: 3_000_000 })
    stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 110_000, liquidation: 90_000 }])
    await bot.pass(4_000)
    const rows: string[] = []
    for (const path of pathsTo(ALICE)) {
      // Everybody is a newcomer on each path.
      const ann = telegram.user('Ann')
      const read = async () => {
        await bot.pass(3_000)
        return telegram.ledger.texts(ann).at(-1) ?? ''
      }
      const says = async (line: string) => {
        ann.says(line)
        return read()
      }
      const taps = async (label: string) => {
        ann.taps(label)
        return read()
      }
      rows.push(await walk({ start: () => says('/start'), taps, types: says }, path))
    }
    expect(ntfy.published(TOPIC).some(({ title }) => title.includes('DRILL'))).toBe(true)
    expect(inWords(destination.what)).toContain('topic')
    const table = [PATHS_HEAD, ...rows].join('\n')
    expect(await documented('taps', table)).toContain(table)
  } finally {
    await ntfy.close()
  }
})
