// Spreadsheets as the team makes them.
import { ZipFile } from 'yazl'

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** An .xlsx file of one sheet. `inline`: texts stand in their cells. `broken`: the sheet is no XML. */
export async function sheetFile(
  rows: readonly (readonly string[])[],
  { name = 'Full Schedule', inline = false, broken = false }: { name?: string; inline?: boolean; broken?: boolean } = {},
): Promise<Buffer> {
  const texts: string[] = []
  const cell = (text: string, row: number, column: number) => {
    if (text === '') return ''
    const at = `r="${String.fromCharCode(65 + column)}${row + 1}"`
    return inline ? `<c ${at} t="inlineStr"><is><t>${escaped(text)}</t></is></c>` : `<c ${at} t="s"><v>${texts.push(text) - 1}</v></c>`
  }
  const lines = rows.map((row, index) => `<row r="${index + 1}">${row.map((text, column) => cell(text, index, column)).join('')}</row>`)
  const zip = new ZipFile()
  const add = (path: string, xml: string) => zip.addBuffer(Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${xml}`), path)
  add(
    'xl/workbook.xml',
    `<workbook xmlns="x" xmlns:r="y"><sheets><sheet name="First" sheetId="1" r:id="rId1"/><sheet name="${name}" sheetId="2" r:id="rId2"/></sheets></workbook>`,
  )
  add(
    'xl/_rels/workbook.xml.rels',
    '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Target="worksheets/sheet2.xml"/></Relationships>',
  )
  add('xl/worksheets/sheet2.xml', `<worksheet><sheetData>${lines.join('')}</sheetData>${broken ? '' : '</worksheet>'}`)
  // Formatted in pieces, with how they are pronounced, and as an editor of XML indents it.
  const shared = texts.map(
    (text) =>
      `<si>\n  <r><t>${escaped(text.slice(0, 2))}</t></r>\n  <r><t xml:space="preserve">${escaped(text.slice(2))}</t></r>\n  <rPh><t>no</t></rPh>\n</si>`,
  )
  add('xl/sharedStrings.xml', `<sst>${shared.join('')}</sst>`)
  zip.end()
  const pieces: Buffer[] = []
  for await (const piece of zip.outputStream as NodeJS.ReadableStream & AsyncIterable<Buffer>) pieces.push(piece)
  return Buffer.concat(pieces)
}
