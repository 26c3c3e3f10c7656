import { describe, expect, test } from 'vitest'

import { nextAcknowledgement, newAck } from '../../src/engine/evaluate/step.ts'
import {
  afterText,
  type Escalation,
  escalationChats,
  type EscalationStep,
  escalationTroubles,
  REPEATED_AFTER_MIN,
  typedAfter,
} from '../../src/people/escalation.ts'
import { NOON } from '../support/clock.ts'
import { aChat } from '../support/fixtures.ts'

const on = (platform: string, id: number) => aChat({ id, address: { platform, chat: `${id}`, thread: null } })
const first = on('red', 1)
const aStep = (over: Partial<EscalationStep> = {}): EscalationStep => {
  const told = { chats: [on('blue', 2)], wrong: null }
  return { from: 3, name: 'blue', isFallback: false, delegateId: null, ...told, ...over }
}
const troubles = (over: Partial<Escalation>) =>
  escalationTroubles({ first, wrong: null, other: on('blue', 2), steps: [], handovers: [], ...over })

describe('a chain', () => {
  test('that goes on over another platform has nothing wrong', () => {
    expect(troubles({ steps: [aStep()] })).toEqual([])
  })

  test.each<[string, Partial<Escalation>, string[]]>([
    [
      'without a first chat',
      { first: null },
      ['I have no private chat with you: nothing of yours reaches you. Write to me there.'],
    ],
    [
      'with nothing behind the first chat',
      { other: null },
      ['If red fails, nothing stands in for it: /link adds a platform.'],
    ],
    [
      'with nothing at once behind the first chat',
      { other: null, steps: [aStep()] },
      ['If red fails, nobody is told before blue, after 7m: /settings fallback.'],
    ],
    [
      'whose step reaches nobody',
      { steps: [aStep({ name: '@bob', chats: [], wrong: 'has not agreed any more' })] },
      ['@bob, after 7m: has not agreed any more.'],
    ],
    [
      'that is handed over to whom nothing reaches, said once',
      {
        steps: [aStep({ name: '@bob', delegateId: 2, chats: [], wrong: 'I cannot write there, blocked' })],
        handovers: [
          aStep({ name: '@bob', delegateId: 2, chats: [], wrong: 'I cannot write there, blocked' }),
        ],
      },
      ['It is handed over to @bob, and nothing reaches them: I cannot write there, blocked.'],
    ],
    [
      'that all goes over one platform',
      { other: on('red', 2), steps: [aStep({ chats: [on('red', 3)] })] },
      ['All of it goes over red: when that is down, nobody is told. /link adds a platform.'],
    ],
    [
      'whose first chat is broken',
      { first: { ...first, brokenBecause: 'blocked' } },
      ['I cannot write to you on red; blue stands in.'],
    ],
    [
      'whose first chat is on a platform that is not open',
      { wrong: 'red is not open' },
      ['red is not open: blue gets what is critical a minute late, the rest waits.'],
    ],
    [
      'whose first chat is on a platform that is not open, with nothing behind it',
      { wrong: 'red is not open', other: null },
      ['red is not open, and nothing stands in: /link adds a platform.'],
    ],
  ])('%s says so', (_what, escalation, said) => {
    expect(troubles(escalation)).toEqual(said)
  })

  test('names each chat once, the first one first', () => {
    const steps = [aStep(), aStep({ chats: [on('blue', 2), on('green', 3)] })]
    expect(
      escalationChats({ first, wrong: null, other: on('blue', 2), steps, handovers: [] }).map(({ id }) => id),
    ).toEqual([1, 2, 3])
  })
})

test('the minutes that people choose from are those after which something critical is said again', () => {
  const minutes = [0]
  let acknowledgement = newAck(true, NOON)
  while (minutes.length < REPEATED_AFTER_MIN.length) {
    const now = acknowledgement.is === 'waiting' ? (acknowledgement.remindAt ?? 0) : 0
    acknowledgement = nextAcknowledgement(acknowledgement, true, {
      now,
      again: true,
      takenAt: () => now,
    }).acknowledgement
    minutes.push((now - NOON) / 60_000)
  }
  expect(minutes).toEqual([...REPEATED_AFTER_MIN])
  expect(REPEATED_AFTER_MIN.map((_, from) => typedAfter(from))).toEqual([
    'now',
    '1m',
    '3m',
    '7m',
    '15m',
    '31m',
  ])
  expect(afterText(0)).toBe('at once')
  expect(afterText(4)).toBe('after 15m')
})
