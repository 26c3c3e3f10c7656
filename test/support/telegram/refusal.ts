export interface Parameters {
  retry_after?: number
  migrate_to_chat_id?: number
}

/** An answer with `ok: false`, as the Bot API gives it: whoever finds the mistake throws it, the server writes it down. */
export class Refusal extends Error {
  readonly code: number
  readonly description: string
  readonly parameters: Parameters | null

  constructor(code: number, description: string, parameters: Parameters | null = null) {
    super(description)
    this.name = 'Refusal'
    this.code = code
    this.description = description
    this.parameters = parameters
  }
}

export function badRequest(text: string, parameters: Parameters | null = null): Refusal {
  return new Refusal(400, `Bad Request: ${uncapitalised(text)}`, parameters)
}

export function forbidden(text: string): Refusal {
  return new Refusal(403, `Forbidden: ${uncapitalised(text)}`)
}

export function tooMany(seconds: number): Refusal {
  return new Refusal(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds })
}

export function unparsable(why: string): Refusal {
  return badRequest(`can't parse entities: ${why}`)
}

/** The real server makes the first letter small, unless a constant such as CHAT_WRITE_FORBIDDEN begins there. */
function uncapitalised(text: string): string {
  return /^.[A-Z_]/.test(text) ? text : text.slice(0, 1).toLowerCase() + text.slice(1)
}
