import { describe, expect, test } from 'vitest'

import { kinds } from '../../src/alerts/index.ts'
import { commandList } from '../../src/commands/index.ts'
import { startBot, UNHURRIED } from '../support/bot.ts'
import { GROUP, openDesk, trader } from './desk.ts'

const NOT_UNDERSTOOD =
  /I do not know|n’t understand|No market called|Do you mean|I cannot tell|Please name|For example:|needs one of|too many|is not an? |did not work|Did you mean|undefined|NaN/

/** Whatever is offered as an example is really understood, so that examples cannot rot. */
describe('every example is understood, one after the other, of', () => {
  const commands = commandList(kinds).map(({ name, forms }) => ({
    name,
    lines: forms.flatMap((form) => form.examples),
  }))
  // Only whoever sits at the bot itself may end it.
  test.each(commands.filter(({ name }) => name !== 'quit'))('/$name', async ({ name, lines }) => {
    await using bot = await openDesk(UNHURRIED)
    await bot.says('/follow 0xde709f2102306220921060314715629080e2fb77 whale $1M', trader)
    const place = name === 'channel' ? { place: GROUP } : {}
    for (const line of lines) {
      const answer = await bot.says(line, { ...trader, ...place })
      if (process.env['SHOW']) console.log(`${line}\n${answer}\n`)
      expect(answer, line).not.toMatch(NOT_UNDERSTOOD)
      expect(answer.trim(), line).not.toBe('')
    }
  })

  test('/quit, at the bot itself', async () => {
    await using bot = await startBot()
    expect(await bot.says('/quit')).toContain('While I’m off, nobody warns you')
  })
})
