/** Something only the operator can mend. `message` is a whole sentence, shown without a stack. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}
