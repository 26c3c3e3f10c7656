import { type Form, text } from '../form.ts'

/** https://docs.discord.com/developers/interactions/application-commands#application-command-object-application-command-naming */
const NAME = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u

/** Names are written in small letters wherever a letter has a small one. */
export function checkName(form: Form, value: unknown): string {
  const name = text(form, value, { min: 1, max: 32, must: true }) ?? ''
  if (name && (!NAME.test(name) || name !== name.toLowerCase())) {
    form.fail('APPLICATION_COMMAND_INVALID_NAME', 'Command name is invalid')
  }
  return name
}
