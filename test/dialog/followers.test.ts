import { expect, test } from 'vitest'

import type { Glance } from '../../src/chat/holdings.ts'
import { createFollowers } from '../../src/dialog/followers.ts'
import type { Person } from '../../src/people/person.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import type { Event } from '../../src/runtime/event.ts'
import { handClock } from '../support/clock.ts'
import { aPerson } from '../support/fixtures.ts'

/** People by their user, each with one figure: the time of the last prices. Making a glance costs time. */
function aWorld({ costsMs = 0 } = {}) {
  const clock = handClock()
  const people = new Map<string, Person>()
  const figures = new Map<number, number>()
  const events: Event[] = []
  const made: number[] = []
  const asked: string[] = []
  const followers = createFollowers({
    clock,
    emit: (event) => void events.push(event),
    personOf({ user }) {
      asked.push(user)
      return people.get(user) ?? null
    },
    glanceOf({ id }) {
      made.push(id)
      clock.stop(costsMs)
      return glanceAt(clock, figures.get(id) ?? 0)
    },
  })
  clock.restsWhen(followers.idle)
  return {
    ...{ clock, people, events, made, asked, followers },
    knows(user: string, id: number) {
      people.set(user, aPerson({ id }))
    },
    /** The figure of a person changes, and whoever follows it may hear so. */
    set(id: number, figure: number) {
      figures.set(id, figure)
      followers.nudge([id])
    },
    follow(user: string) {
      const heard: (number | null)[] = []
      const stop = followers.follow({ platform: 'web', user }, (glance) =>
        heard.push(glance?.prices.at ?? null),
      )
      return { heard, stop }
    },
  }
}

function glanceAt(clock: Clock, figure: number): Glance {
  return {
    at: clock.now(),
    simulated: true,
    reader: { zone: 'UTC', language: 'en', numbers: '1,234.5' },
    prices: { at: figure, staleMs: 10_000 },
    ...{ wallets: [], positions: [], firing: [], pending: [], blind: [], failure: null },
  }
}

test('the first change is told at once, and the last of many a quarter of a second later', async () => {
  const world = aWorld()
  world.knows('phone', 1)
  const { heard } = world.follow('phone')
  for (const figure of [1, 2, 3]) {
    world.set(1, figure)
    await world.clock.advance(0)
  }
  expect(heard).toEqual([1])
  await world.clock.advance(249)
  expect(heard).toEqual([1])
  await world.clock.advance(1)
  expect(heard).toEqual([1, 3])
  await world.clock.advance(10_000)
  expect(heard).toEqual([1, 3])
  expect(world.clock.waiting()).toBe(0)
})

test('changes that come together are told together', async () => {
  const world = aWorld()
  world.knows('phone', 1)
  const { heard } = world.follow('phone')
  world.set(1, 1)
  world.set(1, 2)
  await world.clock.advance(0)
  expect(heard).toEqual([2])
})

test('a change that is taken back within that time is not told', async () => {
  const world = aWorld()
  world.knows('phone', 1)
  const { heard } = world.follow('phone')
  world.set(1, 1)
  await world.clock.advance(100)
  world.set(1, 2)
  await world.clock.advance(100)
  world.set(1, 1)
  await world.clock.advance(10_000)
  expect(heard).toEqual([1])
})

test('each of two people hears of their own alone, and a glance is made once for all pages of one', async () => {
  const world = aWorld()
  world.knows('phone', 1)
  world.knows('desk', 1)
  world.knows('bob', 2)
  const [phone, desk, bob] = [world.follow('phone'), world.follow('desk'), world.follow('bob')]
  world.made.length = 0
  world.set(1, 5)
  await world.clock.advance(1_000)
  expect([phone.heard, desk.heard, bob.heard]).toEqual([[5], [5], []])
  expect(world.made).toEqual([1])
  world.followers.nudge(null)
  await world.clock.advance(1_000)
  expect(world.made).toEqual([1, 1, 2])
  expect([phone.heard, desk.heard, bob.heard]).toEqual([[5], [5], []])
})

test('a change of one person costs nothing for the others', async () => {
  const world = aWorld()
  world.knows('phone', 1)
  world.knows('bob', 2)
  const [phone, bob] = [world.follow('phone'), world.follow('bob')]
  world.asked.length = 0
  world.set(1, 5)
  await world.clock.advance(1_000)
  expect([phone.heard, bob.heard]).toEqual([[5], []])
  expect(world.asked).toEqual(['phone'])
})

test('a session that goes over to another person is told of theirs from then on', async () => {
  const world = aWorld()
  world.knows('phone', 1)
  const { heard } = world.follow('phone')
  world.knows('phone', 2)
  world.set(2, 7)
  world.followers.nudge(null)
  await world.clock.advance(1_000)
  for (const [id, figure] of [
    [1, 8],
    [2, 9],
  ] as const) {
    world.set(id, figure)
    await world.clock.advance(1_000)
  }
  expect(heard).toEqual([7, 9])
})

test('the text is the glance as JSON', async () => {
  const world = aWorld()
  world.knows('phone', 1)
  const told: [Glance | null, unknown][] = []
  world.followers.follow({ platform: 'web', user: 'phone' }, (glance, json) =>
    told.push([glance, JSON.parse(json)]),
  )
  world.set(1, 5)
  await world.clock.advance(1_000)
  world.people.clear()
  world.followers.nudge(null)
  await world.clock.advance(1_000)
  const glance = { ...glanceAt(world.clock, 5), at: expect.any(Number) }
  expect(told).toEqual([
    [glance, glance],
    [null, null],
  ])
})

test('each has a quarter of a second of their own', async () => {
  const world = aWorld()
  world.knows('phone', 1)
  world.knows('desk', 1)
  const phone = world.follow('phone')
  world.set(1, 1)
  await world.clock.advance(100)
  const desk = world.follow('desk')
  world.set(1, 2)
  await world.clock.advance(0)
  expect([phone.heard, desk.heard]).toEqual([[1], [2]])
  await world.clock.advance(150)
  expect([phone.heard, desk.heard]).toEqual([[1, 2], [2]])
})

test('a session that has ended hears so once; the other one of that person goes on', async () => {
  const world = aWorld()
  world.knows('phone', 1)
  world.knows('desk', 1)
  const [phone, desk] = [world.follow('phone'), world.follow('desk')]
  world.people.delete('phone')
  world.set(1, 1)
  await world.clock.advance(1_000)
  world.set(1, 2)
  await world.clock.advance(1_000)
  expect([phone.heard, desk.heard]).toEqual([[null], [1, 2]])
})

test('whoever was never known hears so, after they know how to stop', async () => {
  const world = aWorld()
  const { heard } = world.follow('stranger')
  expect(heard).toEqual([])
  await world.clock.advance(0)
  expect(heard).toEqual([null])
})

test('a follower that throws is dropped and reported, and the others go on', async () => {
  const world = aWorld()
  world.knows('phone', 1)
  world.knows('desk', 1)
  world.followers.follow({ platform: 'web', user: 'phone' }, () => {
    throw new Error('the stream is closed')
  })
  const desk = world.follow('desk')
  for (const figure of [1, 2]) {
    world.set(1, figure)
    await world.clock.advance(250)
  }
  expect(desk.heard).toEqual([1, 2])
  expect(world.events).toEqual([
    expect.objectContaining({ is: 'trouble', where: 'follow', why: 'the stream is closed' }),
  ])
})

test('whoever is stopped by another one who is told hears nothing of that change', async () => {
  const world = aWorld()
  world.knows('phone', 1)
  const stops: (() => void)[] = []
  world.followers.follow({ platform: 'web', user: 'phone' }, () => stops.forEach((stop) => stop()))
  const { heard, stop } = world.follow('phone')
  stops.push(stop)
  world.set(1, 1)
  await world.clock.advance(0)
  expect(heard).toEqual([])
})

test.each<[string, (world: ReturnType<typeof aWorld>, stop: () => void) => void]>([
  ['whoever stops', (_, stop) => stop()],
  ['everybody, once all are stopped,', ({ followers }) => followers.stop()],
])('%s hears nothing more, not even what they are owed, and no alarm is left', async (_, end) => {
  const world = aWorld()
  world.knows('phone', 1)
  const { heard, stop } = world.follow('phone')
  for (const figure of [1, 2]) {
    world.set(1, figure)
    await world.clock.advance(0)
  }
  end(world, stop)
  world.set(1, 3)
  await world.clock.advance(10_000)
  expect(heard).toEqual([1])
  expect(world.clock.waiting()).toBe(0)
})

test('very many are told for half of the time at most: it rests for as long as it has worked', async () => {
  const world = aWorld({ costsMs: 10 })
  for (let id = 0; id < 100; id++) world.knows(`page ${id}`, id)
  for (let id = 0; id < 100; id++) world.follow(`page ${id}`)
  world.made.length = 0
  world.followers.nudge(null)
  // Everybody once, which takes a second; then as long a rest, although something may have changed.
  await world.clock.advance(5)
  expect(world.made).toHaveLength(100)
  world.followers.nudge(null)
  await world.clock.advance(990)
  expect(world.made).toHaveLength(100)
  await world.clock.advance(10)
  expect(world.made).toHaveLength(200)
})

test.each([
  [19, 0],
  [100, 5],
  [2_000, 50],
])('warnings go first: %i are told of a change after %i ms', async (many, ms) => {
  const world = aWorld()
  for (let id = 0; id < many; id++) world.knows(`page ${id}`, id)
  const all = Array.from({ length: many }, (_, id) => world.follow(`page ${id}`))
  const told = () => all.filter(({ heard }) => heard.length > 0).length
  world.set(0, 1)
  if (ms > 0) {
    await world.clock.advance(ms - 1)
    expect(told()).toBe(0)
    // Changes that follow do not put it off.
    world.set(0, 2)
    await world.clock.advance(1)
  } else await world.clock.advance(0)
  expect(told()).toBe(1)
})
