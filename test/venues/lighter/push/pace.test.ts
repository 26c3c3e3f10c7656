import { expect, test } from 'vitest'

import { createPace } from '../../../../src/venues/lighter/push/pace.ts'
import { handClock } from '../../../support/clock.ts'

/** The venue's own limits. */
const [MESSAGES, CONNECTIONS, IN_FLIGHT] = [200, 255, 50]

/** Asks for all that it may, each quarter of a second; every answer comes at once. Returns when each was sent. */
async function asksFor(minutes: number, greetEveryMs: number | null = null) {
  const clock = handClock()
  const pace = createPace(clock)
  const sent: number[] = []
  const questions: number[] = []
  const greetings = greetEveryMs === null ? 0 : 60_000 / greetEveryMs
  pace.keep(greetings)
  for (let at = 0; at < minutes * 60_000; at += 250) {
    if (greetEveryMs !== null && at % greetEveryMs === 0) {
      pace.greeted()
      sent.push(clock.monotonic())
    }
    for (let left = pace.mayAsk(0); left > 0; left--) {
      pace.asked()
      sent.push(clock.monotonic())
      questions.push(clock.monotonic())
    }
    await clock.advance(250)
  }
  return { sent, questions }
}

/** The most that lie within any minute. */
function busiest(monos: readonly number[]): number {
  let most = 0
  for (let [first, last] = [0, 0]; last < monos.length; last++) {
    while ((monos[last] ?? 0) - (monos[first] ?? 0) > 60_000) first++
    most = Math.max(most, last - first + 1)
  }
  return most
}

test('no minute has more messages than the venue allows, and a quarter of an hour is enough for 2,600', async () => {
  const { sent, questions } = await asksFor(15, 6_000)
  expect(busiest(sent)).toBeLessThan(MESSAGES)
  expect(questions.length).toBeGreaterThan(2_600)
})

test('pongs that nobody counted on take their messages from the questions', async () => {
  const clock = handClock()
  const pace = createPace(clock)
  const before = () => {
    const waiting = 0
    let asked = 0
    for (let left = pace.mayAsk(waiting); left > 0; left = pace.mayAsk(waiting)) {
      pace.asked()
      asked++
    }
    return asked
  }
  for (let n = 0; n < 100; n++) pace.greeted()
  expect(before() + 100).toBeLessThan(MESSAGES)
})

test('no more wait for an answer than the venue allows', () => {
  const pace = createPace(handClock())
  const most = pace.mayAsk(0)
  expect(most).toBeLessThan(IN_FLIGHT)
  expect(pace.mayAsk(most - 1)).toBe(1)
  expect(pace.mayAsk(most)).toBe(0)
})

test('after too many unanswered ones it is half as many, for a while', async () => {
  const clock = handClock()
  const pace = createPace(clock)
  const most = pace.mayAsk(0)
  pace.fewerInFlight()
  expect(pace.mayAsk(0)).toBe(Math.floor(most / 2))
  for (let n = 0; n < 9; n++) pace.fewerInFlight()
  expect(pace.mayAsk(0)).toBeGreaterThan(0)
  await clock.advance(300_000)
  expect(pace.mayAsk(0)).toBe(most)
})

test('after too many messages nothing is asked for a minute', async () => {
  const clock = handClock()
  const pace = createPace(clock)
  pace.rest()
  await clock.advance(59_000)
  expect(pace.mayAsk(0)).toBe(0)
  await clock.advance(1_000)
  expect(pace.mayAsk(0)).toBeGreaterThan(0)
})

test('no minute has more new connections than the venue allows', async () => {
  const clock = handClock()
  const pace = createPace(clock)
  const opened: number[] = []
  for (let at = 0; at < 180_000; at += 250) {
    while (pace.mayOpen()) {
      pace.opening()
      opened.push(clock.monotonic())
    }
    await clock.advance(250)
  }
  expect(busiest(opened)).toBeLessThan(CONNECTIONS)
  expect(opened.length).toBeGreaterThan(CONNECTIONS)
})
