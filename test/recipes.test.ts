import { readFileSync } from 'node:fs'

import { describe, expect, test } from 'vitest'

import { commandList } from '../src/commands/index.ts'
import { kinds } from '../src/alerts/index.ts'
import { GROUP, openDesk, trader } from './commands/desk.ts'
import { UNHURRIED } from './support/bot.ts'
import { codeIn } from './support/people.ts'

const page = readFileSync(new URL('../docs/recipes.md', import.meta.url), 'utf8')
const COMMANDS = commandList(kinds)
/** Places that only an operator's variables open. */
const ELSEWHERE = /ntfy/

/** The lines that each section of the page tells people to say. */
const sections = page
  .split(/^## /m)
  .slice(1)
  .map((section) => {
    const [title = ''] = section.split('\n')
    const rows = section.split('\n').filter((line) => line.startsWith('|'))
    const shown = [...rows.join('\n').matchAll(/`(\/[^`]+)`/g), ...section.matchAll(/`(\/[^` ]+ [^`]+)`/g)]
    const lines = [...new Set(shown.map(([, line = '']) => line))]
    return { title, lines: lines.filter((line) => !ELSEWHERE.test(line)) }
  })
  .filter(({ lines }) => lines.length > 0)

describe('docs/recipes.md', () => {
  test('has recipes, each with lines to say', () => {
    expect(sections.length).toBeGreaterThan(5)
    expect(sections.flatMap(({ lines }) => lines).length).toBeGreaterThan(20)
  })

  test.each(sections)('tells people to say what Perch understands: $title', async ({ title, lines }) => {
    await using bot = await openDesk(UNHURRIED)
    const bob = { ...trader, user: 'bob' }
    await bot.says(`/start ${codeIn(await bot.says('/invite', trader))}`, bob)
    await bot.says(`/agree ${codeIn(await bot.says('/agree ask', trader))} yes`, bob)
    const place = title === 'A group or channel' ? { place: GROUP } : {}
    for (const line of lines) {
      bot.events.splice(0)
      await bot.says(line, { ...trader, ...place })
      const [typed = ''] = line.slice(1).split(' ')
      const command = COMMANDS.find(({ name, aliases }) => name === typed || aliases.includes(typed))?.name
      expect(bot.events, line).toContainEqual(
        expect.objectContaining({ is: 'command', command, outcome: 'answered' }),
      )
    }
  })

  test('says that a pasted address, a symbol and a sentence without a slash are understood', async () => {
    await using bot = await openDesk(UNHURRIED)
    const says = async (line: string) => {
      bot.events.splice(0)
      const answer = await bot.says(line, trader)
      return {
        answer,
        commands: bot.events.flatMap((event) => (event.is === 'command' ? [event.command] : [])),
      }
    }
    expect((await says('0x51aB1e0000000000000000000000000000000001')).answer).toContain('/watch 0x51aB1e')
    expect((await says('BTC')).commands).toEqual(['market'])
    expect((await says('alert price ETH below 2400')).commands).toEqual(['alert'])
    expect((await says('/menu')).commands).toEqual(['menu'])
  })
})
