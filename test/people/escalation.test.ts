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
import { inWords } from '../../src/message/message.ts'
import { NOON } from '../support/clock.ts'
import { aChat } from '../support/fixtures.ts'

const on = (platform: string, id: number) => aChat({ id, address: { platform, chat: `${id}`, thread: null } })
const first = on('red', 1)
const aStep = (over: Partial<EscalationStep> = {}): EscalationStep => {
  const told = { chats: [on('blue', 2)], wrong: null }
  return { from: 3, name: 'blue', isFallback: false, delegateId: null, ...told, ...over }
}
const troubles = (over: Partial<Escalation>) =>
  escalationTroubles({ first, wrong: null, other: on('blue', 2), steps: [], handovers: [], ...over }).map(
    (one) => inWords(one),
  )

describe('a chain', () => {
  test('that goes on over another platform has nothing wrong', () => {
    expect(troubles({ steps: [aStep()] })).toEqual([])
  })

  test.each<[string, Partial<Escalation>, string[]]>([
    [
      'without a first chat',
      { first: null },
      ['I can’t alert you: I have no private chat with you. Write to me there.'],
    ],
    [
      'with nothing behind the first chat',
      { other: null },
      ['No backup: if red is down, critical alerts can’t reach you. /link'],
    ],
    [
      'with nothing at once behind the first chat',
      { other: null, steps: [aStep()] },
      [
        'If red is down, critical alerts go to blue after 7 min, and to nobody before. Name a backup chat: /settings fallback',
      ],
    ],
    [
      'whose step reaches nobody',
      { steps: [aStep({ name: '@bob', chats: [], wrong: 'no longer your backup' })] },
      ['@bob (after 7 min): no longer your backup.'],
    ],
    [
      'that is handed over to whom nothing reaches, said once',
      {
        steps: [aStep({ name: '@bob', delegateId: 2, chats: [], wrong: 'I can’t write there: blocked' })],
        handovers: [aStep({ name: '@bob', delegateId: 2, chats: [], wrong: 'I can’t write there: blocked' })],
      },
      ['Handed over to @bob, but I can’t reach them: I can’t write there: blocked.'],
    ],
    [
      'that all goes over one platform',
      { other: on('red', 2), steps: [aStep({ chats: [on('red', 3)] })] },
      ['Everything goes through red. If it’s down, nobody is alerted. /link'],
    ],
    [
      'whose first chat is broken',
      { first: { ...first, brokenBecause: 'blocked' } },
      ['I can’t write to you on red. blue gets your alerts instead.'],
    ],
    [
      'whose first chat is on a platform that is not open',
      { wrong: 'red isn’t set up here' },
      ['red isn’t set up here. blue gets critical alerts a minute late; the rest waits.'],
    ],
    [
      'whose first chat is on a platform that is not open, with nothing behind it',
      { wrong: 'red isn’t set up here', other: null },
      ['red isn’t set up here, and you have no backup. /link adds a platform.'],
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
  expect(inWords(afterText(0))).toBe('at once')
  expect(inWords(afterText(4))).toBe('after 15 min')
})
