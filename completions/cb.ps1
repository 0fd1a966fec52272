# Completion of cb for PowerShell, printed by `cb completion powershell`.
Register-ArgumentCompleter -Native -CommandName cb -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $program, $typed = @(
    $commandAst.CommandElements |
      Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
      ForEach-Object { $_.Extent.Text.Trim('"', "'") }
  )
  # PowerShell before 7.3 drops an empty argument; cb removes the quotes.
  $current = if ($wordToComplete) { $wordToComplete } else { '""' }
  foreach ($line in & $program __complete '--' @typed $current 2>$null) {
    $word, $meaning = $line -split "`t", 2
    if ($word -like ':*' -or -not $word.StartsWith($wordToComplete, [StringComparison]::OrdinalIgnoreCase)) { continue }
    if (-not $meaning) { $meaning = $word }
    [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $meaning)
  }
}
