import { expect, test } from 'vitest'

import { alertCrowd } from './crowd.ts'

const COUNT = 200

test(
  'two hundred channels hear of one tick, what is critical first, within the limits',
  { timeout: 40_000 },
  async () => {
    const { order, channels, refused, fullestSecond, ms } = await alertCrowd(COUNT, 2)
    expect(channels).toBe(COUNT)
    expect(order).toHaveLength(COUNT)
    expect(order.filter((one) => one === 'critical')).toHaveLength(COUNT / 2)
    // Those that are under way at the same time may pass each other.
    expect(order.lastIndexOf('critical')).toBeLessThan(COUNT / 2 + 8)
    expect(refused).toBe(0)
    expect(fullestSecond).toBeLessThanOrEqual(50)
    expect(ms).toBeLessThan(15_000)
  },
)
