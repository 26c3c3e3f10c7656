import { expect, test } from 'vitest'

import { plainLines } from '../../../src/message/message.ts'
import type { Change } from '../../../src/store/change.ts'
import { aDialog, anInbound, home } from '../../dialog/world.ts'
import { NOON } from '../../support/clock.ts'
import { aPerson } from '../../support/fixtures.ts'

/** The answer in Berlin, and the changes that were asked for. NOON is a Thursday. */
async function says(line: string, over: Parameters<typeof aDialog>[0] = {}) {
  const changes: Change[] = []
  const { dialog } = aDialog({
    speaker: { person: aPerson({ operator: true, zone: 'Europe/Berlin' }) },
    change(change) {
      changes.push(change)
      return Promise.resolve({ rules: [], refused: null, repeated: false })
    },
    ...over,
  })
  const answer = await dialog.line(anInbound(), line)
  const asked = changes.filter(({ is }) => is === 'weekly' || is === 'digest')
  return { text: plainLines(answer, { now: NOON, zone: 'Europe/Berlin' }).join('\n'), asked }
}

test.each([
  ['/digest weekly Mon 08:00', 0, 480],
  ['/digest weekly 8pm Sunday', 6, 1_200],
  ['/digest weekly freitags 18:30', 4, 1_110],
  ['/digest week Tuesday', 1, 480],
])('“%s” sets it', async (line, weekday, minute) => {
  const { asked, text } = await says(line)
  expect(asked).toEqual([{ is: 'weekly', chatId: home.id, at: { weekday, minute } }])
  expect(text).toContain('✓ Weekly digest')
  expect(text).toContain('(Europe/Berlin)')
})

test('the answer says when the next one comes', async () => {
  const { text } = await says('/digest weekly Mon 08:00')
  expect(text).toContain('Weekly digest Mondays at 08:00 (Europe/Berlin)')
  expect(text).toContain('next 19 Jan 08:00 on red')
})

test('it ends without the daily one', async () => {
  const { asked, text } = await says('/digest weekly off')
  expect(asked).toEqual([{ is: 'weekly', chatId: home.id, at: null }])
  expect(text).toContain('The weekly digest is off.')
  expect((await says('/digest off')).asked).toEqual([{ is: 'digest', chatId: home.id, minute: null }])
})

test.each(['/digest weekly someday', '/digest weekly Mon 25:00', '/digest weekly Mon 8 9'])(
  '“%s” changes nothing and asks',
  async (line) => {
    const { asked, text } = await says(line)
    expect(asked).toEqual([])
    expect(text).toContain('I need a day and a time, such as Mon 08:00.')
  },
)

test('asked about alone, it says when it comes, or asks for a time', async () => {
  expect((await says('/digest weekly')).text).toContain('No weekly digest. When would you like it?')
  const weekly = { weekday: 6, minute: 1_200, after: NOON, moneyUntil: null }
  const view = { chats: () => [{ ...home, weekly }] }
  expect((await says('/digest weekly', { view })).text).toContain('Weekly digest Sundays at 20:00')
})
