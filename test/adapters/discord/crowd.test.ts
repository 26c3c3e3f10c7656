import { expect, test } from 'vitest'

import { alertCrowd } from './crowd.ts'

const COUNT = 200

test(
  'two hundred channels hear of one tick, what is critical first, within the limits',
  { timeout: 40_000 },
  async () => {
    const { order, channels, refused, fullestSecond, ms } = await alertCrowd(COUNT)
    expect(channels).toBe(COUNT)
    expect(order).toHaveLength(COUNT)
    expect(order.slice(0, COUNT / 2)).toEqual(Array.from({ length: COUNT / 2 }, () => 'critical'))
    expect(refused).toBe(0)
    expect(fullestSecond).toBeLessThanOrEqual(50)
    expect(ms).toBeLessThan(9_000)
  },
)
