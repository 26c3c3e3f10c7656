import { describe, expect, test } from 'vitest'

import type { Command } from '../../src/command/command.ts'
import { admit } from '../../src/dialog/access.ts'
import { inWords } from '../../src/message/message.ts'
import { aPerson } from '../support/fixtures.ts'
import { anInbound, home } from './world.ts'

const bound = { ...home, id: 2, title: 'Traders', private: false }
const somebody = aPerson({ operator: false })
const operator = aPerson({ operator: true })

function admitted(
  { who = 'person', audience = 'person' }: Partial<Pick<Command, 'who' | 'audience'>>,
  where: 'private' | 'group' | 'group, whispered' | 'bound group' | 'bound group, may configure',
  person: typeof somebody | null,
  local = false,
): string {
  const command: Command = {
    name: 'x',
    aliases: [],
    summary: '',
    who,
    audience,
    forms: [],
    run: () => ({}) as never,
  }
  const isPrivate = where === 'private'
  const from = anInbound({
    private: isPrivate,
    whisper: where === 'group, whispered',
    answersApart: false,
    mayConfigure: where.endsWith('may configure'),
  })
  const speaker = {
    person,
    own: person ? home : null,
    bound: where.startsWith('bound') ? bound : null,
    local,
    isFull: false,
  }
  const admission = admit(command, from, speaker)
  if (admission.is === 'refused') return inWords(admission.why)
  return `person ${admission.person.id}, chat ${admission.chat?.id ?? 'none'}`
}

const PRIVATE =
  'This Perch is private. Ask the person who runs it for an invitation, then send me /start and the code.'
const BETWEEN_US = 'I only show that in our private chat. Send me /x there.'
const NOT_SET_UP = 'This group isn’t set up for alerts. An admin can start with /channel bind.'
const CONFIGURERS = 'Only an admin of this chat can do that here.'

describe('who may run what, where', () => {
  test.each([
    // Strangers: what is open to strangers; in a bound chat also what is open to guests.
    ['a stranger, anything', { who: 'person' }, 'private', null, PRIVATE],
    ['a stranger, what guests may', { who: 'guest', audience: 'chat' }, 'private', null, PRIVATE],
    [
      'a stranger, what guests may, in a bound group',
      { who: 'guest', audience: 'chat' },
      'bound group',
      null,
      'person 0, chat none',
    ],
    ['a stranger, what guests may, in any group', { who: 'guest', audience: 'chat' }, 'group', null, PRIVATE],
    ['a stranger, a person’s, in a bound group', { who: 'person' }, 'bound group', null, PRIVATE],
    ['a stranger, /start', { who: 'stranger' }, 'private', null, 'person 0, chat none'],
    ['a stranger, /start, before others', { who: 'stranger' }, 'group', null, BETWEEN_US],
    ['a stranger, the operator’s', { who: 'operator' }, 'private', null, PRIVATE],
    ['a stranger, the terminal’s', { who: 'local' }, 'private', null, PRIVATE],
    // People: privately, or before others where the answer is for others.
    ['somebody, privately', {}, 'private', somebody, 'person 1, chat 1'],
    ['somebody, before others', {}, 'group', somebody, BETWEEN_US],
    ['somebody, in a bound group', {}, 'bound group', somebody, BETWEEN_US],
    ['somebody, before others, whispered', {}, 'group, whispered', somebody, 'person 1, chat 1'],
    ['somebody, about markets', { audience: 'chat' }, 'group', somebody, 'person 1, chat 1'],
    [
      'somebody, the operator’s',
      { who: 'operator' },
      'private',
      somebody,
      '/x is for the operator of this Perch.',
    ],
    ['the operator, the operator’s', { who: 'operator' }, 'private', operator, 'person 1, chat 1'],
    [
      'the operator, elsewhere than in the terminal',
      { who: 'local' },
      'private',
      operator,
      '/x works only in the terminal that runs me.',
    ],
    // What is about a bound chat belongs to those who may configure it.
    [
      'a bound chat’s, by somebody who may',
      { audience: 'bound' },
      'bound group, may configure',
      somebody,
      'person 1, chat 2',
    ],
    ['a bound chat’s, by somebody who may not', { audience: 'bound' }, 'bound group', somebody, CONFIGURERS],
    ['a bound chat’s, privately', { audience: 'bound' }, 'private', somebody, 'person 1, chat 1'],
    ['a bound chat’s, in one that is not bound', { audience: 'bound' }, 'group', somebody, NOT_SET_UP],
    [
      'a bound chat’s, by a stranger who may configure it',
      { audience: 'bound' },
      'bound group, may configure',
      null,
      PRIVATE,
    ],
  ] as const)('%s', (_story, command, where, person, expected) => {
    expect(admitted(command, where, person)).toBe(expected)
  })

  test('whoever sits at the terminal may end the bot', () => {
    expect(admitted({ who: 'local' }, 'private', operator, true)).toBe('person 1, chat 1')
  })
})
