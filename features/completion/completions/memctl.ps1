Register-ArgumentCompleter -Native -CommandName memctl -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $before = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
    $arguments = @('complete', "--typed=$wordToComplete", '--') + $before
    & $commandAst.CommandElements[0].ToString() @arguments 2>$null | ForEach-Object {
        $word, $meaning = $_ -split "\t", 2
        if (-not $meaning) { $meaning = $word }
        [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $meaning)
    }
}
