import { placeOf } from './place.ts'

/** `journal:postgres://…`: a file whose changes are in PostgreSQL before they are in it. */
export const schemes = ['journal']

export const check = placeOf
