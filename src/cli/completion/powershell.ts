/** The completion script of PowerShell. */
import type { Table } from './table.ts';

export function powershellScript(table: Table): string {
  return `${head}  $table = @'\n${json(table)}\n'@ | ConvertFrom-Json\n${walk}`;
}

/** An item a line; a text inside single quotes needs nothing but that no line begins with `'@`. */
function json(table: Table): string {
  const parts = Object.entries(table).map(
    ([name, items]: [string, readonly unknown[]]) =>
      `"${name}": [\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]`,
  );
  return `{${parts.join(',\n')}}`;
}

const head = `# Completion of cb for PowerShell; made by \`cb completion powershell\`.
Register-ArgumentCompleter -Native -CommandName cb -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
`;

const walk = `
  $entryOf = { param($path) foreach ($one in $table.commands) { if ($one.path -ceq $path) { return $one } } }
  $takesOf = {
    param($entry, $flag)
    foreach ($set in @(0) + @($entry.sets)) {
      foreach ($line in $table.sets[$set]) { if ($line[0] -ceq $flag) { return $line[1] } }
    }
  }
  $offer = {
    param($lines, $before)
    foreach ($line in $lines) {
      $word = $before + $line[0]
      if (-not $word.StartsWith($wordToComplete, [StringComparison]::OrdinalIgnoreCase)) { continue }
      $meaning = if ($line.Count -gt 1 -and $line[-1]) { $line[-1] } else { $line[0] }
      [System.Management.Automation.CompletionResult]::new($word, $line[0], 'ParameterValue', $meaning)
    }
  }
  # Where nothing is offered, PowerShell offers files itself.
  $source = {
    param($takes, $before)
    $kind, $which = "$takes" -split ':', 2
    # Several values stand behind one another with commas.
    $value = $wordToComplete.Substring([Math]::Min($before.Length, $wordToComplete.Length))
    $done = $before + $value.Substring(0, $value.LastIndexOf(',') + 1)
    switch ($kind) {
      'values' { & $offer $table.values[[int]$which] $before }
      'several' { & $offer $table.values[[int]$which] $done }
      'ask' {
        $rest = @($typed | Select-Object -Skip 1)
        $lines = & $typed[0] __complete $which '--' @rest 2>$null
        foreach ($line in $lines) { & $offer (, @($line -split "\`t")) $done }
      }
    }
  }

  # The words before the one at the cursor.
  $typed = @(
    $commandAst.CommandElements |
      Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
      ForEach-Object { $_.Extent.Text.Trim('"', "'") }
  )
  $path = ''; $count = 0; $takes = ''; $ended = $false
  $entry = & $entryOf ''
  foreach ($word in @($typed | Select-Object -Skip 1)) {
    if ($takes) { $takes = '' }
    elseif (-not $ended -and $word -eq '--') { $ended = $true }
    elseif (-not $ended -and $word -like '-?*') {
      if ($word -notlike '*=*') { $takes = & $takesOf $entry $word }
    }
    elseif ($count -eq 0 -and @($entry.words | Where-Object { $_[0] -ceq $word }).Count -gt 0) {
      $path = "$path $word".Trim()
      $entry = & $entryOf $path
    }
    else { $count++ }
  }

  if ($takes) { & $source $takes '' }
  elseif (-not $ended -and $wordToComplete -like '--*=*') {
    $flag = $wordToComplete.Substring(0, $wordToComplete.IndexOf('='))
    & $source (& $takesOf $entry $flag) "$flag="
  }
  elseif (-not $ended -and $wordToComplete -like '-*') {
    foreach ($set in @($entry.sets) + @(0)) { & $offer $table.sets[$set] '' }
  }
  elseif ($count -eq 0 -and $entry.words.Count -gt 0) { & $offer $entry.words '' }
  else {
    $places = @($entry.places)
    if ($entry.goesOn -and $count -ge $places.Count) { $count = $places.Count - 1 }
    if ($count -lt $places.Count) { & $source $places[$count] '' }
  }
}
`;
