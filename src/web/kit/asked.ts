// What the address of a page asks for.

/** A part of the address's query; empty when it is not there. */
export const asked = (name: string): string => new URLSearchParams(location.search).get(name) ?? ''

/** Which of some lists the address asks for, or the usual one. */
export const askedList = <V extends string>(lists: readonly V[], usual: V): V => lists.find((each) => each === asked('list')) ?? usual
