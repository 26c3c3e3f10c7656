import { describe, expect, test } from 'vitest'

import { renderCaption } from '../../../../adapters/telegram/send/render.ts'
import { kinds } from '../../../../src/alerts/index.ts'
import { publicPicture } from '../../../../src/commands/look/card.ts'
import { positionPicture } from '../../../../src/commands/shared/position-picture.ts'
import { message } from '../../../../src/message/message.ts'
import type { Picture } from '../../../../src/message/picture.ts'
import { localize } from '../../../../src/outbox/localize.ts'
import { NOON } from '../../../support/clock.ts'
import { aMarket, aPosition, exact } from '../../../support/fixtures.ts'

/** As long as names and figures get, with characters that count once and take two units. */
const held = {
  position: aPosition({
    size: exact('-123456789.123456789'),
    entryPrice: exact('0.000000012345678912'),
    liquidationPrice: exact('0.000000023456789123'),
    leverage: 250,
    openedAt: NOON - 400 * 86_400_000 - 3_600_000,
  }),
  market: aMarket({ price: exact('0.000000019876543219') }),
  symbol: '1000000MOGCOIN',
  wallet: '👩‍👩‍👧‍👦'.repeat(6) + '🦈'.repeat(6),
}
const view = { rules: () => [], monitor: () => null, firing: () => [] }
const times = { priceAt: NOON, positionAt: NOON }
const pictures = {
  position: positionPicture(view, kinds, 1, held, { now: NOON, spanMs: 86_400_000, ...times }),
  public: publicPicture(held, NOON, times),
}

function captionOf(picture: Picture): string {
  const said = localize(message([], { picture: picture as never }), {
    ...{ numbers: '1.234,5', language: 'de', zone: 'America/Argentina/ComodRivadavia', simulated: true },
  })
  return renderCaption(said, { now: NOON, possibleRepeat: true }).text
}

describe('a caption', () => {
  test.each(Object.entries(pictures))('of a %s is whole at its longest, in German', (_is, picture) => {
    const text = captionOf(picture)
    expect([...text].length).toBeLessThanOrEqual(1_024)
    expect(text).toContain('1000000MOGCOIN Short')
    expect(text).toContain('9:00')
    expect(text).not.toContain('…')
  })

  test('that is too long is cut, and shows that', () => {
    const text = captionOf({ ...pictures.position, words: 'Länge & <Ende> '.repeat(200) })
    expect([...text].length).toBe(1_024)
    expect(text).toMatch(/…$/)
  })
})
