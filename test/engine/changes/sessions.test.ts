import { describe, expect, test } from 'vitest'

import { createMemory } from '../../../src/engine/memory/apply.ts'
import { personOf, speakerOf } from '../../../src/engine/memory/people.ts'
import {
  APP_LIVES_MS,
  ASSISTANT_LIVES_MS,
  MAX_SESSIONS,
  PAGE_LIVES_MS,
  type Session,
} from '../../../src/people/session.ts'
import type { Change } from '../../../src/store/change.ts'
import type { Snapshot } from '../../../src/store/snapshot.ts'
import { NOON } from '../../support/clock.ts'
import { made } from '../../support/engine.ts'
import { aPerson, remembered } from '../../support/fixtures.ts'

const code: Change = { is: 'code', code: 'C', for: 'page', personId: 1, expiresAt: NOON + 1 }
type Opening = Extract<Change, { is: 'open-session' }>
const opening = (over: Partial<Opening> = {}): Change => ({
  ...{ is: 'open-session', proof: { is: 'code', code: 'C' }, as: 'page', user: 'ab', name: 'Firefox' },
  ...over,
})
const TWO: Partial<Snapshot> = {
  persons: [
    aPerson({ identities: [{ platform: 'telegram', user: 'alice' }] }),
    aPerson({
      id: 2,
      operator: false,
      identities: [{ platform: 'discord', user: 'bob' }],
      defaultChat: null,
    }),
  ],
}
const page = (user: string) => ({ platform: 'web', user })
const aSession = (id: number, over: Partial<Session> = {}): Session => ({
  ...{ id, personId: 1, is: 'page', user: `digest ${id}`, name: 'Firefox', via: 'code', since: NOON },
  ...{ until: NOON + id, ...over },
})
const withCode = (over: Partial<Snapshot> = {}) => made(code, { ...TWO, ...over }).memory

describe('a page', () => {
  test('is signed in by a code, which is used by the same commit, and speaks for its maker', () => {
    const done = made(opening(), {}, withCode())
    expect(done.kinds).toEqual(['code-gone', 'session'])
    expect(personOf(done.memory, page('ab'))?.id).toBe(1)
    expect([...done.memory.people.sessions.values()]).toEqual([
      aSession(1, { user: 'ab', until: NOON + PAGE_LIVES_MS }),
    ])
    expect(made(opening({ user: 'cd' }), {}, done.memory)).toMatchObject({ writes: [], refused: WRONG })
  })

  test('bears the name of its person, cut short and without signs that nobody sees', () => {
    const named = (name: string) => {
      const { memory } = made({ ...code, name }, TWO)
      return made(opening({ name: 'Firefox, Linux' }), {}, memory).memory.people.sessions.get('ab')?.name
    }
    expect(named('Ann')).toBe('Ann (Firefox, Linux)')
    expect(named('\u202eA\nnn\u200b')).toBe('A nn (Firefox, Linux)')
    expect(named('\u200b')).toBe('Firefox, Linux')
    expect(named('👩‍👩‍👧‍👦'.repeat(500))?.length).toBeLessThan(100)
  })

  test.each<[string, Change, Change]>([
    ['that has expired', { ...code, expiresAt: NOON }, opening()],
    ['for something else', { ...code, for: 'invite' }, opening()],
    ['that nobody made', code, opening({ proof: { is: 'code', code: 'D' } })],
  ])('is not signed in by a code %s', (_, before, change) => {
    const { memory } = made(before, TWO)
    const { writes, refused } = made(change, {}, memory)
    expect([writes, refused]).toEqual([[], WRONG])
  })

  test('is signed in by the word of a platform for a day, if the person is known there', () => {
    const by = { platform: 'discord', user: 'bob' }
    const { memory } = made(opening({ proof: { is: 'identity', by, name: 'Bob\u202e' } }), TWO)
    expect(memory.people.sessions.get('ab')).toMatchObject({
      ...{ personId: 2, via: 'discord', until: NOON + APP_LIVES_MS, name: 'Bob (Firefox)' },
    })
    const stranger = { platform: 'discord', user: 'mallory' }
    expect(made(opening({ proof: { is: 'identity', by: stranger, name: 'Mallory' } }), TWO).writes).toEqual(
      [],
    )
  })

  test('opens no further page, and takes over no other', () => {
    const { memory } = made(opening(), {}, withCode())
    const again = opening({ proof: { is: 'identity', by: page('ab'), name: null }, user: 'cd' })
    expect(made(again, {}, memory).writes).toEqual([])
    made(code, {}, memory)
    expect(made(opening(), {}, memory).writes).toEqual([])
  })

  test('has a name of one short line, whatever a browser calls itself', () => {
    const name = `\u202EFire\nfox${'x'.repeat(200)}`
    const { memory } = made(opening({ name }), {}, withCode())
    const [session] = memory.people.sessions.values()
    expect(session?.name).toMatch(/^Fire foxx{52}$/)
  })

  test('makes room: the one that would end first goes, and nothing of anybody else', () => {
    const sessions = Array.from({ length: MAX_SESSIONS }, (_, n) => aSession(MAX_SESSIONS - n))
    const others = [aSession(90, { personId: 2 }), aSession(91, { is: 'assistant', via: 'token' })]
    const memory = withCode({ sessions: [...sessions, ...others] })
    const done = made(opening(), {}, memory)
    expect(done.writes.filter(({ is }) => is === 'session-gone')).toEqual([
      { is: 'session-gone', user: 'digest 1' },
    ])
    expect(done.memory.people.sessions.size).toBe(MAX_SESSIONS + 2)
  })

  test('ends by the word of its person alone', () => {
    const { memory } = made(opening(), {}, withCode())
    const end = (personId: number): Change => ({ is: 'end-sessions', personId, ids: [1] })
    expect(made(end(2), {}, memory).writes).toEqual([])
    expect(made(end(1), {}, memory).kinds).toEqual(['session-gone'])
    expect(personOf(memory, page('ab'))).toBeUndefined()
  })

  test('ends with its person', () => {
    const { memory } = made(opening(), {}, withCode())
    made({ is: 'forget', personId: 1 }, {}, memory)
    expect([memory.people.sessions.size, memory.people.sessionsOf.of(1).size]).toEqual([0, 0])
  })

  test('speaks for nobody once it is over, and on no other platform', () => {
    const memory = createMemory(remembered({ sessions: [aSession(1)] }))
    const speaks = (now: number, platform = 'web') =>
      speakerOf(memory, { platform, user: 'digest 1' }, now)?.id
    expect([speaks(NOON), speaks(NOON + 1), speaks(NOON, 'assistant')]).toEqual([1, undefined, undefined])
  })
})

describe('the code of a page', () => {
  test('replaces the one before, and lets nobody else in', () => {
    const { memory } = made({ ...code, code: 'D' }, {}, withCode())
    expect(made(opening(), {}, memory).writes).toEqual([])
    const home = { platform: 'telegram', chat: 'm', thread: null }
    const by = { platform: 'telegram', user: 'mallory' }
    const redeemed = made({ is: 'redeem', code: 'D', by, home }, {}, memory)
    const linked = made({ is: 'ask-link', code: 'D', by, home }, {}, memory)
    const agreed = made({ is: 'agree', code: 'D', personId: 2, name: 'Bob' }, {}, memory)
    expect([redeemed, linked, agreed].map(({ writes, refused }) => [writes, refused])).toEqual(
      Array.from({ length: 3 }, () => [[], WRONG]),
    )
    expect(made(opening({ proof: { is: 'code', code: 'D' } }), {}, memory).kinds).toContain('session')
  })
})

describe('an assistant', () => {
  const asAssistant = (name: string, user: string) =>
    opening({ proof: { is: 'person', personId: 1 }, as: 'assistant', user, name })

  test('speaks by its token for a year, under a name that no other has', () => {
    const { memory } = made(asAssistant('claude', 'ab'), TWO)
    expect(memory.people.sessions.get('ab')).toMatchObject({
      ...{ is: 'assistant', via: 'token', until: NOON + ASSISTANT_LIVES_MS },
    })
    expect(personOf(memory, { platform: 'assistant', user: 'ab' })?.id).toBe(1)
    expect(made(asAssistant('claude', 'cd'), {}, memory).refused).toContain('called claude already')
  })

  test('never pushes another one out', () => {
    const sessions = Array.from({ length: MAX_SESSIONS }, (_, n) =>
      aSession(n + 1, { is: 'assistant', name: `a${n}`, via: 'token' }),
    )
    const done = made(asAssistant('claude', 'ab'), { ...TWO, sessions })
    expect([done.writes, done.refused]).toEqual([[], expect.stringContaining('End one of them first')])
  })
})

const WRONG = expect.stringContaining('wrong or has expired') as string
