import * as fc from 'fast-check'

import * as figures from '../../src/message/figure.ts'
import type { Figure } from '../../src/message/figure.ts'

/** Any figure of any measure that can be made, small and large, signed, infinite. */
export const anyFigure: fc.Arbitrary<Figure> = fc
  .tuple(
    fc.constantFrom(...Object.values(figures)),
    fc.oneof(
      fc.double({ min: -1e9, max: 1e9, noNaN: true }),
      fc.double({ min: -2, max: 2, noNaN: true }),
      fc.double({ noNaN: true }),
      fc.integer(),
    ),
  )
  .map(([measured, value]) => measured(value))
  .filter((figure): figure is Figure => figure !== '?')
